import { describeWholeChain } from './describe-whole-chain';

// Real: both processes as built, PostgreSQL with the queue, HTTP on both sides. Fake: the CRMs.
describe('feed to pages, with the queue in PostgreSQL', () => {
  describeWholeChain(null);
});
