import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { INGEST_QUEUE } from '@passerelle/domain';
import type { Queue } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { answerOf } from '../access/ops-error.filter';
import { LOGGER } from '../tokens';

const PATH = '/queues';

/** The board's types allow five statuses, but any status is sent. */
type BoardAnswer = ReturnType<Parameters<FastifyAdapter['setErrorHandler']>[0]>;

/** Bull Board over the queue, behind the operators' token, read-only. */
@Injectable()
export class QueueBoard implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    @InjectQueue(INGEST_QUEUE) private readonly queue: Queue,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const adapter = new FastifyAdapter();
    adapter.setBasePath(PATH);
    createBullBoard({
      queues: [
        new BullMQAdapter(this.queue, { description: 'One job for each gateway that is to run', readOnlyMode: true }),
      ],
      serverAdapter: adapter,
      options: { uiConfig: { boardTitle: 'Passerelle queues' } },
    });
    // The board's own error response has another form, and contains the cause.
    adapter.setErrorHandler((error) => answerOf(error, this.log) as BoardAnswer);
    const server = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    await server.register(
      async (board) => {
        guardBoard(board);
        await board.register(adapter.registerPlugin());
      },
      { prefix: PATH },
    );
  }
}

const HEADERS = {
  // The board's page would load a font from another host, which would then see every operator who opens it.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Makes the board read-only, because it could stop all work without an entry in the audit log. */
function guardBoard(board: FastifyInstance): void {
  board.addHook('onRequest', async ({ method }, reply) => {
    if (method !== 'GET' && method !== 'HEAD') {
      return reply.status(405).header('allow', 'GET, HEAD').send({ error: 'the board is read-only' });
    }
    reply.headers(HEADERS);
  });
}
