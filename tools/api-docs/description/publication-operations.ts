import { EXPORT_PARAMETERS } from '../../../apps/api/src/export/parameters';
import type { Parameter } from '../../../apps/api/src/http/parameters';
import { PUBLICATIONS_PARAMETERS } from '../../../apps/api/src/publications/parameters';
import type { Operation } from './operation';
import { errors, IF_NONE_MATCH, KEY_IN_HEADER, ok, WITH_KEY } from './responses';
import { success } from './schemas';

type Json = Readonly<Record<string, unknown>>;

const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });
const TIME = '2025-11-21T09:30:00.000Z';

export function publicationOperations({
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
      method: 'get',
      path: '/v1/publications',
      listed: { purpose: 'which adverts are at which portals' },
      openapi: {
        operationId: 'listPublications',
        tags: ['Publications'],
        summary: 'Adverts at portals',
        description:
          'A line for each listing at each placement of the gateway, newest changes first, with the reason where a listing ' +
          'is not shown.',
        parameters: inQuery(PUBLICATIONS_PARAMETERS),
        security: KEY_IN_HEADER,
        responses: {
          '200': ok(
            success('The publications of a page.', {
              meta: ref('PageMeta'),
              data: { type: 'array', items: ref('Publication'), description: 'Those of this page.' },
            }),
            {
              meta: { page: 1, per_page: 50, total: 1, total_pages: 1, crm, client },
              data: [
                {
                  ...{ affId: 'DEMO-0001', affNum: 'REF-0001', placement: 3, target: 'poliris', state: 'delivered' },
                  ...{ since: TIME, reason_code: null, reason: null, url: null, sent_at: TIME },
                },
              ],
            },
          ),
          ...errors(...WITH_KEY),
        },
      },
    },
    {
      method: 'get',
      path: '/v1/export/document/{file}',
      listed: { purpose: 'a list for a portal that fetches it', query: '?token={token}' },
      openapi: {
        operationId: 'exportDocument',
        tags: ['Publications'],
        summary: 'Document for a portal',
        description:
          'The list that was last exported to a portal that fetches its lists: `TARGET.xml`, or `TARGET-PLACEMENT.xml` when a ' +
          'gateway has several placements there. It stays as it is while a newer list is held or not confirmed.',
        parameters: [
          {
            ...{ name: 'file', in: 'path', required: true, schema: { type: 'string' }, example: 'thribee.xml' },
            description: 'The target, and maybe the placement.',
          },
          ...inQuery({ token: EXPORT_PARAMETERS.token }),
          IF_NONE_MATCH,
        ],
        security: [],
        responses: {
          '200': { description: 'The document.', content: { 'application/xml': { schema: { type: 'string' } } } },
          '304': { description: 'The reader has this document.' },
          ...errors(...WITH_KEY, 'NOT_FOUND'),
        },
      },
    },
  ];
}
