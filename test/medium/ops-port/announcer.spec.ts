import { describeAnnouncer } from './describe-announcer';

// Real: PostgreSQL, the queue on it, three dispatchers. Fake: the network connection that is cut. No worker takes
// jobs from the queue.
describe('announcer, with the queue in PostgreSQL', () => {
  describeAnnouncer(() => Promise.resolve(null));
});
