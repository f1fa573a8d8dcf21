import type { LoggedDelivery, WebhookEndpoint } from '@passerelle/database';
import type { RenderOptions } from './render-options';
import { renderTable } from './table';

export function renderWebhooks(options: RenderOptions, endpoints: readonly WebhookEndpoint[]): string {
  return renderTable(
    options,
    [
      { title: 'id', value: ({ id }) => id, align: 'right' },
      { title: 'address', value: ({ url }) => url },
      { title: 'state', value: stateOf },
      { title: 'events', value: ({ events }) => events.join(' ') },
    ],
    endpoints,
    'no webhook',
  );
}

export function renderDeliveries(options: RenderOptions, deliveries: readonly LoggedDelivery[]): string {
  return renderTable(
    options,
    [
      { title: 'message', value: ({ id }) => id, align: 'right' },
      { title: 'webhook', value: ({ endpointId }) => endpointId, align: 'right' },
      { title: 'event', value: ({ type }) => type },
      { title: 'at', value: ({ at }) => at.slice(0, 19) },
      { title: 'state', value: ({ state }) => state },
      { title: 'tries', value: ({ tries }) => tries, align: 'right' },
      { title: 'status', value: ({ status }) => status, align: 'right' },
      { title: 'ms', value: ({ ms }) => ms, align: 'right' },
      { title: 'answer', value: ({ error, answer }) => error ?? answer },
    ],
    deliveries,
    'nothing was sent yet',
  );
}

function stateOf({ disabledReason, failingSince }: WebhookEndpoint): string {
  if (disabledReason !== null) return `disabled (${disabledReason})`;
  return failingSince === null ? 'well' : 'failing';
}
