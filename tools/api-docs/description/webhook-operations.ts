import { GATEWAY_PARAMETERS } from '../../../apps/api/src/access/gateway-parameters';
import type { Parameter } from '../../../apps/api/src/http/parameters';
import type { Operation } from './operation';
import { errors, KEY_IN_HEADER, ok, WITH_KEY } from './responses';
import { success } from './schemas';

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const TIME = '2025-11-21T09:30:00.000Z';
const URL = 'https://agence.example/wp-json/passerelle/v1/hook';

export function webhookOperations({
  crm,
  client,
  inQuery,
}: {
  crm: string;
  client: string;
  inQuery: (declared: Readonly<Record<string, Parameter>>) => Json[];
}): Operation[] {
  return [
    {
      method: 'post',
      path: '/v1/webhooks',
      listed: { purpose: 'subscribe to new lists' },
      openapi: {
        operationId: 'addWebhook',
        tags: ['Webhooks'],
        summary: 'Add a webhook',
        description:
          'The address then gets messages by Standard Webhooks: `POST` with `webhook-id`, `webhook-timestamp` and ' +
          '`webhook-signature`. The secret is shown only once. Adding an address again gives it a new secret. A gateway has at ' +
          'most five.',
        security: KEY_IN_HEADER,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: ref('WebhookRequest'), example: { crm, client, url: URL } } },
        },
        responses: {
          '201': ok(success('The webhook was added.', { data: ref('NewWebhook') }), {
            data: {
              ...{ id: 3, url: URL, events: ['list.published'] },
              secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
            },
          }),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/webhooks',
      listed: { purpose: 'subscriptions' },
      openapi: {
        operationId: 'listWebhooks',
        tags: ['Webhooks'],
        summary: 'Webhooks of the gateway',
        description: 'The webhooks of the gateway, without their secrets, oldest first.',
        parameters: inQuery(GATEWAY_PARAMETERS),
        security: KEY_IN_HEADER,
        responses: {
          '200': ok(
            success('The webhooks.', { data: { type: 'array', items: ref('Webhook'), description: 'All of them.' } }),
            {
              data: [
                {
                  ...{ id: 3, url: URL, events: ['list.published'], created_at: TIME },
                  ...{ disabled_at: null, disabled_reason: null, failing_since: null },
                },
              ],
            },
          ),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'delete',
      path: '/v1/webhooks/{id}',
      listed: { purpose: 'unsubscribe' },
      openapi: {
        operationId: 'removeWebhook',
        tags: ['Webhooks'],
        summary: 'Remove a webhook',
        description: 'Removes a webhook immediately, with the messages that wait for it.',
        parameters: [
          {
            name: 'id',
            in: 'path',
            required: true,
            description: 'The id of the webhook.',
            schema: { type: 'string' },
            example: '3',
          },
          ...inQuery(GATEWAY_PARAMETERS),
        ],
        security: KEY_IN_HEADER,
        responses: {
          '200': ok(success('The webhook was removed.', { data: ref('RemovedWebhook') }), {
            data: { id: 3, removed: true },
          }),
          ...errors(...WITH_KEY, 'NOT_FOUND'),
        },
      },
    },
  ];
}
