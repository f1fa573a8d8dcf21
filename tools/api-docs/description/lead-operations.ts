import { MOST_WAITING_LEADS } from '@passerelle/domain';
import type { Operation } from './operation';
import { errors, KEY_IN_HEADER, ok, WITH_KEY } from './responses';
import { success } from './schemas';

const ID = '0b9f6f1e-3b0a-4c52-9d52-7a4d1c1e8a90';
const ref = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

export function leadOperation({ crm, client }: { crm: string; client: string }): Operation {
  const lead = {
    ...{ crm, client, id: ID, affId: '1001', name: 'Claire Martin', email: 'claire.martin@visiteur.example' },
    ...{ phone: '+33 6 39 98 00 00', message: 'Je souhaite visiter cet appartement.', langue: 'fr', consent: true },
    page_url: 'https://agence.example/annonces/appartement-lyon/',
  };
  return {
    method: 'post',
    path: '/v1/leads',
    listed: { purpose: 'pass on an enquiry' },
    openapi: {
      operationId: 'addLead',
      tags: ['Leads'],
      summary: 'Pass on an enquiry',
      description:
        'Accepts an enquiry of a visitor about a property and delivers it to the agency: into its CRM where the ' +
        'connector can, else by e-mail. The lead is stored encrypted before the answer, sent until it arrives, and ' +
        'removed 30 days later. If the answer was not 202, send the lead again with the same `id`. The key must allow ' +
        'reports. ' +
        `At most ${MOST_WAITING_LEADS} leads of a gateway wait.`,
      security: KEY_IN_HEADER,
      requestBody: { required: true, content: { 'application/json': { schema: ref('LeadRequest'), example: lead } } },
      responses: {
        '202': ok(
          success('The lead was accepted.', { data: ref('ReceivedLead') }),
          {
            data: { id: ID, received_at: '2025-11-21T09:30:00.000Z' },
          },
          { description: 'The lead was accepted and will be delivered.' },
        ),
        ...errors(...WITH_KEY),
      },
    },
  };
}
