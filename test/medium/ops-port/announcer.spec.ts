import { describeAnnouncer } from './describe-announcer';

// Real: PostgreSQL, the queue on it, three dispatchers. Fake: the cable that is pulled; nobody takes what is on the queue.
describe('the announcer, with the queue in PostgreSQL', () => {
  describeAnnouncer(() => Promise.resolve(null));
});
