import { AccessRefused, BadFeed, isUrl, trimEndOf } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import type { PagedFetch, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { credential } from '../../kit/http-access';
import { listOf, scalarOf, textOf } from '../../kit/values';
import { languageNumberOf } from './lookups';

export const HOST = 'newapi.omnicasa.com';
const LIST = 'GetPropertyListJson';
const DELETED = 'GetDeletedPropertyIDsJson';
/** The parameter that contains the whole request, including the password. */
const PARAMETER = 'json';
const CUSTOMER_NAMES = ['customer', 'user', 'username'];
const USUAL_VERSION = '1.12';
const USUAL_PAGE = 50;
const MOST_PER_PAGE = 100;
const DAY_SECONDS = 24 * 3600;
const REFUSED = 'are name and password of the customer right, and may it use the API?';

/** The request as JSON. `Limit1` and `Limit2` are the first and the last row of a page, counted from 1. */
type Question = Readonly<Record<string, string | number>> & { Limit1: number; Limit2: number };

/** One walk through all properties in any status: the list says which ones are no longer offered. */
export const OMNICASA_WALK: PagedFetch = {
  kind: 'pages',
  whenRefused: REFUSED,
  prepare: async (source) => await Promise.resolve({ walks: [firstPage(source)], feed: {} }),
  next: nextPage,
  compose: async ({ body }) => await Promise.resolve(Buffer.from(JSON.stringify(listIn(body)))),
  savedAnswer: (body) => (isDocument(body) ? body : Buffer.from(JSON.stringify(listIn(body)))),
  changes: {
    wholeEverySeconds: DAY_SECONDS,
    since(first, since) {
      const ChangeSince = since.toISOString().slice(0, 19).replace('T', ' ');
      return asking(first, { ...questionOf(first), ChangeSince });
    },
    async deleted(first, client) {
      const { CustomerName, CustomerPassword } = questionOf(first);
      const url = new URL(first.url.replace(LIST, DELETED));
      url.searchParams.set(PARAMETER, JSON.stringify({ CustomerName, CustomerPassword }));
      const { body } = await client.get({ ...first, url: url.href });
      return idsIn(answerIn(body, DELETED));
    },
  },
};

/** The account of the request quota: the customer. */
export function customerOf(source: SourceConfig): string | undefined {
  return credential(source, CUSTOMER_NAMES);
}

/** @throws AccessRefused */
function firstPage(source: SourceConfig): SourceRequest {
  const { settings, url: given } = source;
  const address = given.trim() === '' ? `https://${HOST}` : given;
  if (!isUrl(address)) throw new AccessRefused('the source URL is not an address');
  const [CustomerName, CustomerPassword] = [customerOf(source), credential(source, ['password'])];
  if (CustomerName === undefined || CustomerPassword === undefined)
    throw new AccessRefused('the credentials `customer` and `password` are missing');
  const { origin, pathname } = new URL(address);
  const version = settings['version']?.trim() ?? USUAL_VERSION;
  if (!/^\d{1,2}(?:\.\d{1,3})?$/.test(version))
    throw new AccessRefused('the setting `version` is no version, as "1.12"');
  const steps = pathname.split('/');
  const versionAt = steps.findIndex((step) => /^\d[\d.]*$/.test(step));
  const before = trimEndOf((versionAt === -1 ? steps : steps.slice(0, versionAt)).join('/'), '/');
  const office = toInteger(settings['office']);
  const size = Math.min(Math.max(toInteger(settings['limit']) ?? USUAL_PAGE, 1), MOST_PER_PAGE);
  const language = languageNumberOf(settings);
  return asking(
    {
      url: `${origin}${before}/${version}/OmnicasaService.svc/${LIST}`,
      headers: { accept: 'application/json' },
      secretParameter: PARAMETER,
    },
    {
      ...{ CustomerName, CustomerPassword, LanguageId: language, DescriptionLanguageId: language },
      ...(office !== undefined && { OfficeID: office }),
      ...{ SortFields: 'CreatedDate', Limit1: 1, Limit2: size },
    },
  );
}

function asking(request: SourceRequest, question: Question): SourceRequest {
  const url = new URL(request.url);
  url.searchParams.set(PARAMETER, JSON.stringify(question));
  return { ...request, url: url.href };
}

function questionOf({ url }: SourceRequest): Question {
  return JSON.parse(new URL(url).searchParams.get(PARAMETER) ?? '{}') as Question;
}

/** The last page is empty, or not full while the API declares no more records: servers may use smaller pages. */
function nextPage({ request, records, recordsSoFar, resumeAt, declared = 0 }: WalkedPage): SourceRequest | undefined {
  const question = questionOf(request);
  const size = question.Limit2 - question.Limit1 + 1;
  if (records === 0 || (records < size && recordsSoFar >= declared)) return undefined;
  return { ...asking(request, { ...question, Limit1: resumeAt + 1, Limit2: resumeAt + size }), overlaps: 1 };
}

/** Whether the text is the list itself, and not an answer with it. */
function isDocument(body: Buffer): boolean {
  return Array.isArray((parsed(body) as { Items?: unknown } | null)?.Items);
}

/** The list of properties in an answer. @throws AccessRefused, BadFeed */
function listIn(body: Buffer): object {
  const value = answerIn(body, LIST);
  if (typeof value !== 'object' || value === null || !Array.isArray((value as { Items?: unknown }).Items))
    throw new BadFeed('Omnicasa answered without a list of properties');
  const { Items, RowsCount } = value as { Items: unknown[]; RowsCount?: unknown };
  return { ...(RowsCount !== undefined && { RowsCount }), Items };
}

const ABOUT_ACCESS = /customer|klant|client|passw|wachtwoord|mot de passe|login|auth|denied|access|toegang|acc[eè]s/i;

/** A refusal also has status 200. Its text may quote the request, so errors omit it. @throws AccessRefused, BadFeed */
function answerIn(body: Buffer, method: string): unknown {
  const answer = parsed(body);
  const inner: unknown = (answer as Readonly<Record<string, unknown>> | null)?.[`${method}Result`] ?? answer;
  if (Array.isArray(inner)) return inner;
  const { Success, Code, Message, Value } = (typeof inner === 'object' && inner !== null ? inner : {}) as {
    [name in 'Success' | 'Code' | 'Message' | 'Value']?: unknown;
  };
  if (Success === true) return Value;
  if (Success !== false) throw new BadFeed('Omnicasa did not answer the request');
  const code = textOf(scalarOf(Code))?.slice(0, 10) ?? 'none';
  if (ABOUT_ACCESS.test(textOf(Message) ?? '')) throw new AccessRefused(`Omnicasa refused (code ${code}): ${REFUSED}`);
  throw new BadFeed(`Omnicasa answered with an error (code ${code})`);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\ufeff/, '')) as unknown;
  } catch {
    throw new BadFeed('Omnicasa did not answer with JSON');
  }
}

/** @throws BadFeed for an element that is neither a number nor an object with one: it may be a deletion too. */
function idsIn(value: unknown): string[] {
  const listed = (value as { Items?: unknown } | null)?.Items ?? value;
  if (!Array.isArray(listed)) throw new BadFeed('Omnicasa answered without a list of deletions');
  return listOf(listed).map((one) => {
    const id = textOf(typeof one === 'object' && one !== null ? (one as { ID?: unknown }).ID : one);
    if (id === undefined) throw new BadFeed('Omnicasa listed a deletion without a number');
    return id;
  });
}
