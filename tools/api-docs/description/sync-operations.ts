import { GATEWAY_PARAMETERS } from '../../../apps/api/src/access/gateway-parameters';
import type { Parameter } from '../../../apps/api/src/http/parameters';
import { ID_PARAMETER, PROPERTY_PARAMETERS } from '../../../apps/api/src/properties/parameters';
import { CHANGES_PARAMETERS } from '../../../apps/api/src/sync/parameters';
import type { Operation } from './operation';
import { errors, fromSnapshot, IF_NONE_MATCH, KEY_IN_HEADER, ok, WITH_KEY } from './responses';
import { success } from './schemas';

type Json = Readonly<Record<string, unknown>>;

interface Shown {
  crm: string;
  client: string;
  property: Json;
  inQuery: (declared: Readonly<Record<string, Parameter>>) => Json[];
}

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

const TOKEN = 'Zk3qTx1bQm2o8vYc5Rn7Lw';
const BEFORE = 'a7Kd0PzR3WcV9sLq2mXyUg';
const TIME = '2025-11-21T09:30:00.000Z';

/** Calls for sites that must verify that they have every listing. */
export function syncOperations({ crm, client, property, inQuery }: Shown): Operation[] {
  const meta = { snapshot: TOKEN, total: 1, published_at: TIME, confirmed_at: TIME };
  return [
    {
      method: 'get',
      path: '/v1/manifest',
      listed: { purpose: 'proof that a list is complete' },
      openapi: {
        operationId: 'getManifest',
        tags: ['Sync'],
        summary: 'Manifest',
        description:
          'A line for each property of the snapshot, in order. A client that counts `meta.total` lines and finds `meta.hash` as ' +
          'SHA-256 over the lines `affId TAB empreinte TAB photos LF` (UTF-8, `photos` empty without photos) has the ' +
          'complete list, and may remove what is not in it.',
        parameters: [...inQuery(PROPERTY_PARAMETERS), IF_NONE_MATCH],
        security: KEY_IN_HEADER,
        responses: {
          ...fromSnapshot(
            success('A manifest.', {
              meta: ref('ManifestMeta'),
              data: {
                type: 'array',
                description: "A line for each property, in the feed's order.",
                items: ref('ManifestLine'),
              },
            }),
            {
              meta: { ...meta, hash: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' },
              data: [{ affId: 'DEMO-0001', empreinte: 'b5bb9d8014a0f9b1', photos: '7d865e959b246691' }],
            },
          ),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/changes',
      listed: { purpose: 'changes since a snapshot', query: '?since={token}' },
      openapi: {
        operationId: 'listChanges',
        tags: ['Sync'],
        summary: 'Changes',
        description:
          'The net difference between two snapshots, each property once: first the removed, then the added, then ' +
          'the changed ones, each by `affId`. Applied to the list at `since` it gives the list at `snapshot`. A token that is ' +
          'too old is refused with `detail.reason` `expired`: use the manifest.',
        parameters: [...inQuery(CHANGES_PARAMETERS), IF_NONE_MATCH],
        security: KEY_IN_HEADER,
        responses: {
          ...fromSnapshot(
            success('A page of changes.', {
              data: { type: 'array', description: 'The changes: removed, added, changed.', items: ref('Change') },
              meta: ref('ChangesMeta'),
            }),
            {
              data: [
                { affId: 'DEMO-0002', affNum: 'REF-2', change: 'removed', at: TIME, reason: 'absent', approved: false },
                {
                  ...{ affId: 'DEMO-0001', affNum: 'REF-1', change: 'changed', at: TIME, approved: false },
                  ...{ empreinte: 'b5bb9d8014a0f9b1', photos: '7d865e959b246691', property },
                },
              ],
              meta: {
                ...{ page: 1, per_page: 50, total: 2, total_pages: 1, crm, client },
                ...{ since: BEFORE, snapshot: TOKEN, removed: 1, added: 0, changed: 1 },
              },
            },
          ),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/feed',
      listed: { purpose: 'state of the feed' },
      openapi: {
        operationId: 'getFeed',
        tags: ['Sync'],
        summary: 'State of the feed',
        description: 'Whether the list is fresh, and if not, why; and what the consumer reported last.',
        parameters: inQuery(GATEWAY_PARAMETERS),
        security: KEY_IN_HEADER,
        responses: {
          '200': ok(success('State of the feed.', { data: ref('Feed') }), {
            data: {
              ...{ state: 'fresh', since: TIME, reason: null, snapshot: TOKEN, total: 240 },
              ...{
                confirmed_at: TIME,
                published_at: TIME,
                next_run_at: TIME,
                paused: null,
                duties_missing: { 'fr-dpe': 2 },
              },
              last_run: {
                ...{ state: 'unchanged', started_at: TIME, ended_at: TIME, records: 240, added: 0, changed: 0 },
                ...{ unchanged: 240, removed: 0, rejected: 0 },
              },
              consumer: null,
              disabled_webhooks: [],
            },
          }),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/properties/{id}/history',
      listed: { purpose: 'where a property is, or why it is missing' },
      openapi: {
        operationId: 'getHistory',
        tags: ['Sync'],
        summary: 'Where a property is',
        description:
          'Where a property is or at which step it was lost, since when, and its last changes, newest first.',
        parameters: [{ name: 'id', in: 'path', required: true, ...ID_PARAMETER }, ...inQuery(GATEWAY_PARAMETERS)],
        security: KEY_IN_HEADER,
        responses: {
          '200': ok(success('Where the property is.', { data: ref('History') }), {
            data: {
              ...{ id: 'DEMO-0001', affId: 'DEMO-0001', state: 'removed', explanation: 'The feed no longer has it.' },
              since: TIME,
              changes: [{ change: 'removed', at: TIME, reason: 'absent', approved: false }],
            },
          }),
          ...errors(...WITH_KEY),
        },
      },
    },
  ];
}
