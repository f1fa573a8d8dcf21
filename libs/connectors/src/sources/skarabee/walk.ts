import { AccessRefused, BadFeed, isUrl } from '@passerelle/domain';
import { elementText, soapRequest, soapResult, type SoapValue } from '../../formats/soap';
import { parseXmlElement, type XmlRecord } from '../../formats/xml-element';
import { toFlag } from '../../kit/clean/fold-word';
import type { PagedFetch, SourceConfig, SourceRequest } from '../../kit/contracts';
import { basicAuthorization, credential } from '../../kit/http-access';
import { listOf, scalarOf, textOf } from '../../kit/values';
import { PUBLICATION_TYPES, REFUSALS } from './lookups';

export const HOST = 'weblink.skarabee.com';
const NAMESPACE = 'http://weblink.skarabee.com/';
const USUAL_ADDRESS = `https://${HOST}/v40/weblink.asmx`;

/** Requests one list of all publications, then each publication whose summary has changed. */
export const SKARABEE_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const call = callOf(source);
    const { body } = await client.get(call('GetContactInfo'));
    const offices = listOf(resultOf(body, 'GetContactInfo', ['UserSummaries.UserSummary']).UserSummaries?.UserSummary);
    const parameters = {
      LastModified: null,
      ...(typesOf(source).length > 0 && { RequestedPropertyTypes: { PropertyType: typesOf(source) } }),
      ExcludeSharedProperties: toFlag(source.settings['exclure-partages']) === true,
    };
    return {
      walks: [call('GetPublicationSummaries', parameters)],
      // With several offices, a publication does not say which office it belongs to, so none is named.
      feed: { agency: offices.length === 1 ? offices[0] : {} },
    };
  },
  whenRefused: 'Weblink does not know the user, or the password is wrong',
  next: () => undefined,
  compose({ body }) {
    const { PublicationSummaries: list } = resultOf(body, 'GetPublicationSummaries', [
      'PublicationSummaries.PublicationSummary',
    ]);
    // An empty element is parsed as a text, and means an empty list. Without the element, the answer has no list.
    if (list === undefined) throw new BadFeed('the answer has no PublicationSummaries');
    const listed = listOf(list.PublicationSummary) as XmlRecord[];
    const active = listed.filter((summary) => toFlag(scalarOf(summary['Active'])) !== false);
    const records = active.map((summary) => elementText('Publication', { Summary: summary }));
    return Promise.resolve(Buffer.from(`<Publications>${records.join('\n')}</Publications>`));
  },
  details: {
    request(summary, page) {
      const id = idIn(summary);
      if (id === undefined || !/^\d+$/.test(id)) throw new BadFeed('a summary has no ID');
      return publicationRequest(page.url, id, page.headers ?? {});
    },
    idOf: idIn,
    record(summary, answer) {
      const publication = resultOf(answer, 'GetPublication').Publication;
      if (typeof publication !== 'object') throw new BadFeed('the answer has no Publication');
      const { Summary } = parseXmlElement(summary.toString('utf8'));
      const id = idIn({ Summary });
      const own = textOf((publication['Info'] as XmlRecord | undefined)?.['ID']);
      if (own !== id) throw new BadFeed(`requested publication ${id ?? ''}, and got ${own ?? 'none'}`);
      return Buffer.from(elementText('Publication', { ...saidIn(publication), Summary }));
    },
  },
};

/** An error that the service returns instead of a result. */
export class WeblinkError extends BadFeed {
  constructor(readonly code: string) {
    super(`Weblink answered ${code}`);
  }
}

/** The request quota counts per user. */
export function userOf(source: SourceConfig): string | undefined {
  return credential(source, ['user', 'username']);
}

/** @throws AccessRefused */
export function callOf(
  source: SourceConfig,
): (operation: string, parameters?: Record<string, SoapValue>) => SourceRequest {
  const url = source.url.trim() === '' ? USUAL_ADDRESS : source.url;
  if (!isUrl(url)) throw new AccessRefused('the source URL is not an address');
  const [user, password] = [userOf(source), credential(source, ['password'])];
  if (user === undefined || password === undefined)
    throw new AccessRefused('the credentials `user` and `password` are missing, or one of them');
  const headers = basicAuthorization(user, password);
  return (operation, parameters = {}) => soapRequest({ url, namespace: NAMESPACE, operation, parameters, headers });
}

function publicationRequest(url: string, id: string, headers: Readonly<Record<string, string>>): SourceRequest {
  return soapRequest({
    ...{ url, namespace: NAMESPACE, operation: 'GetPublication', headers },
    parameters: { PublicationId: id },
  });
}

/** @throws AccessRefused when the setting names a type that Weblink does not have. */
function typesOf({ settings }: SourceConfig): string[] {
  const types = (settings['types'] ?? '').toUpperCase().split(/[\s,;]+/);
  const wanted = types.filter((type) => type !== '');
  const unknown = wanted.find((type) => !PUBLICATION_TYPES.includes(type));
  if (unknown !== undefined)
    throw new AccessRefused(`the setting \`types\` names ${unknown}, which is none of ${PUBLICATION_TYPES.join(', ')}`);
  return wanted;
}

interface Result {
  UserSummaries?: { UserSummary?: unknown };
  PublicationSummaries?: { PublicationSummary?: unknown };
  Publication?: XmlRecord;
  InvalidContactMes?: { InvalidContactMe?: unknown };
}

/** The service answers 200 even when it refuses. @throws FeedError */
export function resultOf(answer: Buffer, operation: string, lists: readonly string[] = []): Result {
  const result = soapResult(answer, operation, [...lists, 'Errors.Error']);
  const [error] = listOf((result['Errors'] as XmlRecord | undefined)?.['Error']) as XmlRecord[];
  if (error === undefined) return result;
  const code = textOf(error['Code']) ?? 'an error without a code';
  if (REFUSALS.has(code)) throw new AccessRefused(`Weblink answered ${code}: ${SKARABEE_WALK.whenRefused ?? ''}`);
  throw new WeblinkError(code);
}

function idIn(summary: unknown): string | undefined {
  return textOf(((summary as XmlRecord)['Summary'] as XmlRecord | undefined)?.['ID']);
}

/** Removes members with the value `UNDEFINED` from a publication. Most of its members have this value. */
function saidIn(value: XmlRecord): XmlRecord {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const isList = Array.isArray(one);
      const kept = isList ? one.flatMap(said) : said(one);
      return kept.length === 0 ? [] : [[name, isList ? kept : kept[0]]];
    }),
  );
}

function said(value: unknown): unknown[] {
  if (value === 'UNDEFINED') return [];
  return [typeof value === 'object' && value !== null ? saidIn(value as XmlRecord) : value];
}
