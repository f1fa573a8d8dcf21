import { describeWebhooks } from './describe-webhooks';

// Real: PostgreSQL, the queue on it, the ingestor, HTTP, the reference implementation that verifies. Fake: the CRM and the sites.
describe('webhooks, with the queue in PostgreSQL', () => {
  describeWebhooks(() => Promise.resolve(null));
});
