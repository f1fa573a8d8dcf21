import { LEAD_REQUEST } from '../../../apps/api/src/leads/lead-request';
import { closed, type JsonSchema, string, toJsonSchema } from './json-schema';

export const LEAD_SCHEMAS: Record<string, JsonSchema> = {
  LeadRequest: {
    type: 'object',
    description: 'An enquiry of a visitor. Members that are not listed are ignored.',
    ...toJsonSchema(LEAD_REQUEST, 'input'),
  },
  ReceivedLead: closed('The lead that was taken.', {
    id: { type: 'string', format: 'uuid', description: 'That of the request, else a new one.' },
    received_at: {
      ...string('When it was taken; of one that was there already, when it was taken first.'),
      format: 'date-time',
    },
  }),
};
