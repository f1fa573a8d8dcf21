import { LEAD_REQUEST } from '../../../apps/api/src/leads/lead-request';
import { closed, type JsonSchema, string, toJsonSchema } from './json-schema';

export const LEAD_SCHEMAS: Record<string, JsonSchema> = {
  LeadRequest: {
    type: 'object',
    description: 'An enquiry of a visitor. Members that are not listed are ignored.',
    ...toJsonSchema(LEAD_REQUEST, 'input'),
  },
  ReceivedLead: closed('The accepted lead.', {
    id: { type: 'string', format: 'uuid', description: 'The `id` of the request, else a new one.' },
    received_at: {
      ...string('When it was accepted; for a lead that was sent again, when it was first accepted.'),
      format: 'date-time',
    },
  }),
};
