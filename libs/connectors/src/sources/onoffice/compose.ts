import { BadFeed } from '@passerelle/domain';
import type { PageAnswer, SourceClient, SourceConfig } from '../../kit/contracts';
import { listOf, textOf } from '../../kit/values';
import { inGroups, wholeAnswersFor } from '../../kit/whole-answers';
import { type ApiAnswer, answerIn, answersIn, type ApiRecord, parametersOf, requestFor } from './api';
import { TEXT_FIELDS } from './fields';
import { apiLanguage, furtherLanguagesOf } from './languages';

/** Without the site plan, which reveals the exact location, and the certificate's scale, which is no photo. */
const CATEGORIES = ['Titelbild', 'Foto', 'Foto_gross', 'Panorama', 'Grundriss', 'Film-Link', 'Ogulo-Link'];
/** The highest number of records in one answer. The API does not give files in pages. */
const MOST_RECORDS = 500;
const ESTATES_PER_REQUEST = 40;
const RELATION = 'urn:onoffice-de-ns:smart:2.5:relationTypes:estate:address:contactPerson';
const CONTACT_FIELDS = ['Vorname', 'Name', 'Email', 'Telefon1', 'Zusatz1'];

type ById<T> = ReadonlyMap<string, T>;
type Ask = (
  resource: string,
  action: 'read' | 'get',
  parameters: Record<string, unknown>,
) => ReturnType<typeof answerIn>;
type Asking = (...question: Parameters<Ask>) => Promise<ReturnType<Ask>>;

interface WholeEstate {
  id: string | undefined;
  elements: unknown;
  pictures?: readonly unknown[];
  contact?: unknown;
  translations?: readonly unknown[];
}

/** Adds pictures, contact persons and texts in further languages to a page of estates. @throws FeedError */
export async function composePage(
  { request, body }: PageAnswer,
  source: SourceConfig,
  client: SourceClient,
): Promise<Buffer> {
  const list = answerIn(parsed(body), source);
  const ask: Asking = async (resource, action, parameters) =>
    answerIn(await client.getJson(requestFor(source, { resource, action, parameters })), source);
  const asked = new Set(listOf(parametersOf(request)['data']));
  const texts = TEXT_FIELDS.filter((name) => asked.has(name));
  const ids = idsOf(list);
  return documentOf(list, {
    pictures: await picturesOf(ids, ask),
    contacts: await contactsOf(ids, ask, client),
    translations: await translationsOf(ids, texts, ask, source),
  });
}

/**
 * The document of one or several saved answers of the API: of the estates, and if they are there, of their pictures.
 * @throws FeedError
 */
export function composeSaved(body: Buffer, source: SourceConfig): Buffer {
  const saved = parsed(body);
  if (Array.isArray((saved as { estates?: unknown } | null)?.estates)) return body;
  const answers = listOf(saved).flatMap((answer) => answersIn(answer, source));
  const list = answers.find(({ resource }) => resource === 'estate') ?? answers[0];
  if (list === undefined) throw new BadFeed('the file has no answer of onOffice');
  const files = answers.flatMap(({ resource, records }) => (resource === 'estatepictures' ? records : []));
  return documentOf(list, { pictures: byEstate(files.flatMap(filesIn)), contacts: new Map(), translations: new Map() });
}

interface Besides {
  pictures: ById<unknown[]>;
  contacts: ById<unknown>;
  translations: ById<unknown[]>;
}

function idsOf({ records }: ApiAnswer): string[] {
  return records.flatMap(({ id }) => textOf(id) ?? []);
}

function documentOf({ records, total }: ApiAnswer, { pictures, contacts, translations }: Besides): Buffer {
  const estates = records.map(({ id: given, elements }): WholeEstate => {
    const id = textOf(given);
    const [files, contact, texts] = [pictures, contacts, translations].map((found) => found.get(id ?? ''));
    return {
      ...{ id, elements },
      ...(files !== undefined && { pictures: files as unknown[] }),
      ...(contact !== undefined && { contact }),
      ...(texts !== undefined && { translations: texts as unknown[] }),
    };
  });
  return Buffer.from(JSON.stringify({ ...(total !== undefined && { total }), estates }));
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8').replace(/^\ufeff/, '')) as unknown;
  } catch {
    throw new BadFeed('onOffice did not answer with JSON');
  }
}

/** Files by estate. */
async function picturesOf(ids: readonly string[], ask: Asking): Promise<ById<unknown[]>> {
  const files = await wholeAnswersFor(
    ids,
    ESTATES_PER_REQUEST,
    async (group) => {
      const { records, total = 0 } = await ask('estatepictures', 'get', { categories: CATEGORIES, estateids: group });
      const wanted = new Set(group);
      const found = records.flatMap(filesIn).filter((file) => wanted.has(textOf(file['estateid']) ?? ''));
      const mayBeCut = records.length >= MOST_RECORDS && total !== records.length;
      return { found, isWhole: total <= records.length && !mayBeCut };
    },
    (id, { found }) => {
      throw new BadFeed(`onOffice gives ${found.length} files of estate ${id}, and says that there are more`);
    },
  );
  return byEstate(files);
}

function byEstate(files: readonly Record<string, unknown>[]): ById<unknown[]> {
  const found = new Map<string, unknown[]>();
  for (const file of files) {
    const estate = textOf(file['estateid']) ?? '';
    found.set(estate, [...(found.get(estate) ?? []), file]);
  }
  return found;
}

/** `elements` is one file or a list of files, and may repeat a file for each language. */
function filesIn({ id, elements }: ApiRecord): Record<string, unknown>[] {
  return listOf(elements).flatMap((one) => (typeof one === 'object' && one !== null ? [{ id, ...one }] : []));
}

/** If the API user may not read addresses, only the names are missing. */
async function contactsOf(ids: readonly string[], ask: Asking, client: SourceClient): Promise<ById<unknown>> {
  const contacts = new Map<string, unknown>();
  if (ids.length === 0) return contacts;
  try {
    const related = await ask('idsfromrelation', 'get', { parentids: ids, relationtype: RELATION });
    const agentOf = new Map<string, string>();
    for (const { elements } of related.records) {
      for (const [estate, agents] of Object.entries((elements ?? {}) as Record<string, unknown>)) {
        const agent = textOf(listOf(agents)[0]);
        if (agent !== undefined) agentOf.set(estate, agent);
      }
    }
    const agents = new Map<string, unknown>();
    for (const group of inGroups([...new Set(agentOf.values())], MOST_RECORDS)) {
      const parameters = { data: CONTACT_FIELDS, listlimit: MOST_RECORDS, recordids: group };
      const { records } = await ask('address', 'read', parameters);
      for (const { id, elements } of records) agents.set(textOf(id) ?? '', elements);
    }
    for (const [estate, agent] of agentOf) contacts.set(estate, agents.get(agent));
  } catch (error) {
    if (!(error instanceof BadFeed)) throw error;
    client.warn('extra_request_failed', 'contactPerson', 'refused');
  }
  return contacts;
}

/** The texts in further languages, by the id of the estate in the main language. */
async function translationsOf(
  ids: readonly string[],
  data: readonly string[],
  ask: Asking,
  { settings }: SourceConfig,
): Promise<ById<unknown[]>> {
  const found = new Map<string, unknown[]>();
  if (ids.length === 0 || data.length === 0) return found;
  for (const language of furtherLanguagesOf(settings)) {
    const { records } = await ask('estate', 'read', {
      ...{ addMainLangId: true, data, estatelanguage: apiLanguage(language), listlimit: MOST_RECORDS },
      filter: { Id: [{ op: 'in', val: ids }] },
    });
    for (const { elements } of records) {
      const { mainLangId, ...texts } = (elements ?? {}) as Record<string, unknown>;
      const main = textOf(mainLangId);
      if (main !== undefined && main !== '0') found.set(main, [...(found.get(main) ?? []), { ...texts, language }]);
    }
  }
  return found;
}
