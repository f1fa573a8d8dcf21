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
import { guardBoard } from './guard-board';

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
