import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { INGEST_QUEUE, isUrl } from '@passerelle/domain';
import type { Queue } from 'bullmq';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { answerOf } from '../access/ops-error.filter';
import { LOGGER } from '../tokens';

const PATH = '/queues';

/** Its types name five statuses; whatever the status is, it is sent. */
type BoardAnswer = ReturnType<Parameters<FastifyAdapter['setErrorHandler']>[0]>;

/** Bull Board over the queue, behind the operators' token. */
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
      queues: [new BullMQAdapter(this.queue, { description: 'One job for each gateway that is to run' })],
      serverAdapter: adapter,
      options: { uiConfig: { boardTitle: 'Passerelle queues' } },
    });
    // The board's own answer has another shape, and says what failed.
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
  // The board's page would load a font from another host, which would then know of every operator who opens it.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

/** Refuses every request below the board's path that a page of another site has sent. */
function guardBoard(board: FastifyInstance): void {
  board.addHook('onRequest', async (request, reply) => {
    if (comesFromAnotherSite(request)) {
      return reply.status(403).send({ error: 'the board takes orders from its own page only' });
    }
    reply.headers(HEADERS);
  });
}

/** A browser that has stored the password sends it with every request to us, also with those of other sites' pages. */
function comesFromAnotherSite({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const { origin, host } = headers;
  const site = headers['sec-fetch-site'];
  // Browsers send this header over TLS and on localhost only.
  if (site !== undefined) return site !== 'same-origin';
  return origin !== undefined && (!isUrl(origin) || new URL(origin).host !== host);
}
