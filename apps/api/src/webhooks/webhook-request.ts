import { MAX_WEBHOOK_URL_CHARACTERS, SLUG_PATTERN, WEBHOOK_EVENTS, WEBHOOK_URL_IN_WORDS } from '@passerelle/domain';
import { z } from 'zod';
import { refusedParameter } from '../http/parameters';

const slug = z.string().regex(SLUG_PATTERN);

/** A site's request for notifications. Undeclared members are ignored. */
export const WEBHOOK_REQUEST = z.object({
  crm: slug.describe('Connector code of the gateway.'),
  client: slug.describe('Client slug of the gateway.'),
  url: z
    .string()
    .max(MAX_WEBHOOK_URL_CHARACTERS)
    .describe('Where messages are sent: an https address. It is asked with every message whether it is public.'),
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1)
    .describe('The events that this webhook receives; by default those of the list and its feed.')
    .optional(),
});

export type WebhookRequest = z.infer<typeof WEBHOOK_REQUEST>;

const ALLOWED: Readonly<Record<keyof WebhookRequest, string>> = {
  crm: 'a string of letters, digits, hyphens and underscores',
  client: 'a string of letters, digits, hyphens and underscores',
  url: WEBHOOK_URL_IN_WORDS,
  events: `an array of ${WEBHOOK_EVENTS.join(', ')}`,
};

/** @throws ApiError BAD_REQUEST, which names the first invalid member. */
export function parseWebhookRequest(body: unknown): WebhookRequest {
  const read = WEBHOOK_REQUEST.safeParse(body);
  if (read.success) return read.data;
  const member = read.error.issues[0]?.path[0];
  if (typeof member === 'string' && isMember(member)) throw refusedMember(member);
  throw refusedParameter('body', 'a JSON object', 'The body is invalid');
}

export function refusedMember(member: keyof WebhookRequest): Error {
  return refusedParameter(member, ALLOWED[member], `The member "${member}" of the body is missing or invalid`);
}

function isMember(name: string): name is keyof WebhookRequest {
  return Object.hasOwn(ALLOWED, name);
}
