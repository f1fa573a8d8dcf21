import { describeBoard } from './describe-board';

// Real: HTTP, PostgreSQL, the queue on it, Bull Board.
describe('/queues, with the queue in PostgreSQL', () => {
  describeBoard('postgres', () => Promise.resolve(null));
});
