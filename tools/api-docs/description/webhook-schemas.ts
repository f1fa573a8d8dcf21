import { WEBHOOK_EVENTS } from '@passerelle/domain';
import { WEBHOOK_REQUEST } from '../../../apps/api/src/webhooks/webhook-request';
import { closed, integer, type JsonSchema, nullable, string, toJsonSchema } from './json-schema';

const events: JsonSchema = {
  type: 'array',
  items: { type: 'string', enum: WEBHOOK_EVENTS },
  description: 'The events that it gets.',
};
const time = (description: string): JsonSchema => ({ ...nullable('string', description), format: 'date-time' });
const REASONS = 'gone: it answered 410. failing: it failed for three days.';

/** Schemas of webhooks. */
export const WEBHOOK_SCHEMAS: Record<string, JsonSchema> = {
  WebhookRequest: {
    type: 'object',
    description: 'The address that is to get messages. Members that are not listed are ignored.',
    ...toJsonSchema(WEBHOOK_REQUEST, 'input'),
  },
  NewWebhook: closed('The webhook with its secret, which is shown only once.', {
    id: integer('Its id, to remove it.'),
    url: string('Where messages are sent.'),
    events,
    secret: string('The secret that signs messages: `whsec_` and Base64.'),
  }),
  Webhook: closed('A webhook.', {
    id: integer('Its id, to remove it.'),
    url: string('Where messages are sent.'),
    events,
    created_at: { type: 'string', format: 'date-time', description: 'When it was added.' },
    disabled_at: time('Since when it gets no messages.'),
    disabled_reason: nullable('string', REASONS),
    failing_since: time('Since when it has been failing.'),
  }),
  RemovedWebhook: closed('The removed webhook.', {
    id: integer('Its id.'),
    removed: { type: 'boolean', const: true, description: 'It is removed.' },
  }),
  DisabledWebhook: closed('A webhook that gets no messages.', {
    id: integer('Its id.'),
    url: string('Where messages were sent.'),
    disabled_at: { type: 'string', format: 'date-time', description: 'Since when.' },
    reason: { type: 'string', enum: ['gone', 'failing'], description: REASONS },
  }),
};
