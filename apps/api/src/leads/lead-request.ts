import { LEAD_LIMITS, type Lead, SLUG_PATTERN } from '@passerelle/domain';
import { z } from 'zod';
import { refusedParameter } from '../http/parameters';

/** Line breaks and tabs are text; the other control characters are not. */
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const HALF_CHARACTERS = /\p{Surrogate}/gu;
/** One mailbox without a comment, as people type it; the other forms that mail servers accept are not supported. */
const EMAIL = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\".]+(?:\.[^\s@<>()[\],;:\\".]+)+$/u;
const PHONE = /^[+\d][\d\s().\/-]*$/;
const PAGE = /^https?:\/\/[^\s<>"]+$/;

const slug = z.string().regex(SLUG_PATTERN);

function text(max: number) {
  return z
    .string()
    .transform((value) => value.replace(CONTROL_CHARACTERS, '').replace(HALF_CHARACTERS, '\ufffd').trim())
    .pipe(z.string().max(max));
}

function line(max: number) {
  return text(max).transform((value) => value.replace(/[\r\n\t\u2028\u2029]+/g, ' '));
}

/** A visitor's enquiry as a site sends it. Undeclared members are ignored. */
export const LEAD_REQUEST = z.object({
  crm: slug.describe('Connector code of the gateway.'),
  client: slug.describe('Client slug of the gateway.'),
  id: z
    .uuid()
    .describe(
      'A UUID that the site makes for this lead: sent again under it, it is no second one. Send it again until it is taken.',
    )
    .optional(),
  affId: line(LEAD_LIMITS.affId).describe('The property; absent for an enquiry about none.').optional(),
  name: line(LEAD_LIMITS.name).pipe(z.string().min(1)).describe('Name of the sender.'),
  email: line(LEAD_LIMITS.email)
    .pipe(z.string().regex(EMAIL))
    .describe('Where to answer. This, or `phone`, must be there.')
    .optional(),
  phone: line(LEAD_LIMITS.phone).pipe(z.string().regex(PHONE)).describe('Where to call.').optional(),
  message: text(LEAD_LIMITS.message).describe('Plain text.').optional(),
  page_url: line(LEAD_LIMITS.pageUrl)
    .pipe(z.string().regex(PAGE))
    .describe('The page that they wrote from.')
    .optional(),
  langue: z
    .string()
    .regex(/^[a-z]{2}$/)
    .describe('ISO 639-1: the language that they read.')
    .optional(),
  consent: z.literal(true).describe('That they agreed to be answered: nothing is taken without.'),
});

export type LeadRequest = z.infer<typeof LEAD_REQUEST>;

const ALLOWED: Readonly<Record<keyof LeadRequest, string>> = {
  crm: 'a string of letters, digits, hyphens and underscores',
  client: 'a string of letters, digits, hyphens and underscores',
  id: 'a UUID',
  affId: `a string of at most ${LEAD_LIMITS.affId} characters`,
  name: `a string of 1 to ${LEAD_LIMITS.name} characters`,
  email: `an e-mail address of at most ${LEAD_LIMITS.email} characters`,
  phone: `a telephone number of at most ${LEAD_LIMITS.phone} characters`,
  message: `a string of at most ${LEAD_LIMITS.message} characters`,
  page_url: `an http or https address of at most ${LEAD_LIMITS.pageUrl} characters`,
  langue: 'a language code of two letters',
  consent: 'true',
};

/** @throws ApiError BAD_REQUEST, which names the first invalid member. */
export function parseLeadRequest(body: unknown): LeadRequest {
  const read = LEAD_REQUEST.safeParse(body);
  if (!read.success) {
    const member = read.error.issues[0]?.path[0];
    if (!isMember(member)) throw refusedParameter('body', 'a JSON object', 'The body is invalid');
    throw refusedParameter(member, ALLOWED[member], `The member "${member}" of the body is missing or invalid`);
  }
  if (read.data.email === undefined && read.data.phone === undefined) {
    throw refusedParameter(
      'email',
      `${ALLOWED.email}, or "phone" must be there`,
      'The body has neither "email" nor "phone"',
    );
  }
  return read.data;
}

export function toLead({ name, email, phone, message, page_url: pageUrl, langue }: LeadRequest): Lead {
  return {
    name,
    ...(email !== undefined && { email }),
    ...(phone !== undefined && { phone }),
    ...(message !== undefined && message !== '' && { message }),
    ...(pageUrl !== undefined && { pageUrl }),
    ...(langue !== undefined && { langue }),
  };
}

function isMember(name: PropertyKey | undefined): name is keyof LeadRequest {
  return name !== undefined && Object.hasOwn(ALLOWED, name);
}
