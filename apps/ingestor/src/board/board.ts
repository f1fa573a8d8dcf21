import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import { guardBoard } from './guard-board';

/** A queue of BullMQ, over either of its stores. */
export type BoardQueue = ConstructorParameters<typeof BullMQAdapter>[0];

const PATH = '/queues';

/** Adds Bull Board over the queue, behind the operators' token. Must be called before the server listens. */
export async function addBoard(server: FastifyInstance, queue: BoardQueue, opsToken: string | null): Promise<void> {
  const adapter = new FastifyAdapter();
  adapter.setBasePath(PATH);
  createBullBoard({
    queues: [new BullMQAdapter(queue, { description: 'One job for each gateway that is to run' })],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'Passerelle queues' } },
  });
  await server.register(
    async (board) => {
      guardBoard(board, opsToken);
      await board.register(adapter.registerPlugin());
    },
    { prefix: PATH },
  );
}
