import { closed, integer } from './json-schema';
import type { Operation } from './operation';
import { errors, ok } from './responses';
import { success } from './schemas';

export function inboundWebhookOperations(): Operation[] {
  return [
    {
      method: 'post',
      path: '/in/{token}',
      openapi: {
        operationId: 'call',
        tags: ['Calls'],
        summary: 'Report a change',
        description:
          'The CRM of one gateway sends this request to the address that the operator has opened. The body is in the CRM’s own format, at most 64 KB. ' +
          'Only the identifiers of listings are kept; the gateway requests these listings soon afterwards. The connector declares the ' +
          'proof: the address only, HTTP Basic, or an HMAC over the body.',
        parameters: [
          {
            name: 'token',
            in: 'path',
            required: true,
            description: 'The secret part of the address.',
            schema: { type: 'string' },
          },
        ],
        requestBody: {
          required: false,
          content: {
            'application/json': {
              schema: { type: 'object', description: 'The message of the CRM.', additionalProperties: true },
              example: { event: 'estate-updated', estate_id: '12345678-1234-1234-1234-123456789012' },
            },
          },
        },
        security: [],
        responses: {
          '202': ok(success('The call was recorded.', { data: CALL_DATA }), { data: { noted: 1, everything: false } }),
          ...errors('BAD_REQUEST', 'AUTH_FAILED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'),
        },
      },
    },
  ];
}

const CALL_DATA = closed('The result.', {
  noted: integer('How many listings the call names; 0 when it names none.'),
  everything: { type: 'boolean', description: 'Whether the call asks to read the whole list.' },
});
