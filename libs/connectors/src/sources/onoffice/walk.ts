import { BadFeed } from '@passerelle/domain';
import { toInteger } from '../../kit/clean/number';
import type { KeyOrder, PagedFetch, SourceClient, SourceConfig, SourceRequest, WalkedPage } from '../../kit/contracts';
import { textOf } from '../../kit/values';
import { answerIn, parametersOf, type Question, requestFor, sign } from './api';
import { composePage, composeSaved } from './compose';
import { fieldsToAsk, LABELLED } from './fields';
import type { Labels } from './labels';
import { apiLanguage, mainLanguageOf } from './languages';

/** The largest page that the API accepts. */
const MOST_PER_PAGE = 500;

interface ListParameters {
  filter: Readonly<Record<string, readonly { op: string; val: unknown }[]>>;
  listlimit: number;
  listoffset: number;
  [other: string]: unknown;
}

/** In the order of the record number, which never changes. */
const BY_ID: KeyOrder = {
  first: (request) => request,
  keyOf: (record) => textOf((record as { id?: unknown } | null)?.id),
  next(first, page, lastRecord) {
    const key = BY_ID.keyOf(lastRecord);
    const asked = parametersOf(page.request) as ListParameters;
    if (key === undefined || isLast(page, asked)) return undefined;
    const { filter, ...others } = parametersOf(first) as ListParameters;
    return withParameters(first, { ...others, filter: { ...filter, Id: [{ op: '>', val: Number(key) }] } });
  },
};

/** One walk through the estates that the agency shows on its website. */
export const ONOFFICE_WALK: PagedFetch = {
  kind: 'pages',
  async prepare(source, client) {
    const { known, labels } = await askForFields(source, client);
    return { walks: [requestFor(source, listQuestion(source, known))], feed: { labels } };
  },
  next(page) {
    const asked = parametersOf(page.request) as ListParameters;
    if (page.records === 0) return undefined;
    if (page.records < asked.listlimit && page.recordsSoFar >= (page.declared ?? 0)) return undefined;
    return { ...withParameters(page.request, { ...asked, listoffset: page.resumeAt }), overlaps: 1 };
  },
  keyOrder: BY_ID,
  sign,
  compose: composePage,
  savedAnswer: composeSaved,
};

/** A page that is not full is the last one, unless the API declares more records: it may be smaller than requested. */
function isLast({ records, declared = 0 }: WalkedPage, { listlimit }: ListParameters): boolean {
  return records === 0 || (records < listlimit && declared <= records);
}

function withParameters(request: SourceRequest, parameters: Readonly<Record<string, unknown>>): SourceRequest {
  const body = JSON.parse(request.body ?? '') as { request: { actions: [{ parameters: unknown }] } };
  body.request.actions[0].parameters = parameters;
  return { ...request, body: JSON.stringify(body) };
}

/** The fields of the client's estates, and its labels for them. @throws FeedError */
async function askForFields(
  source: SourceConfig,
  client: SourceClient,
): Promise<{ known: ReadonlySet<string>; labels: Labels }> {
  const question: Question = {
    action: 'get',
    resource: 'fields',
    parameters: { labels: true, language: apiLanguage(mainLanguageOf(source.settings)), modules: ['estate'] },
  };
  const { records } = answerIn(await client.getJson(requestFor(source, question)), source);
  const fields = records.find(({ id }) => id === 'estate')?.elements;
  if (typeof fields !== 'object' || fields === null)
    throw new BadFeed('onOffice does not say which fields estates have');
  const labels: Record<string, Record<string, string>> = {};
  for (const name of LABELLED) {
    const values = (fields as Record<string, { permittedvalues?: unknown } | undefined>)[name]?.permittedvalues;
    if (typeof values !== 'object' || values === null || Array.isArray(values)) continue;
    const texts = Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
    labels[name] = Object.fromEntries(texts);
  }
  return { known: new Set(Object.keys(fields)), labels };
}

function listQuestion({ settings }: SourceConfig, known: ReadonlySet<string>): Question {
  const limit = toInteger(settings['limit']) ?? MOST_PER_PAGE;
  const filterId = toInteger(settings['filter']);
  return {
    action: 'read',
    resource: 'estate',
    parameters: {
      data: fieldsToAsk(known),
      filter: { veroeffentlichen: [{ op: '=', val: 1 }] },
      ...(filterId !== undefined && { filterid: filterId }),
      formatoutput: false,
      listlimit: Math.min(Math.max(limit, 1), MOST_PER_PAGE),
      listoffset: 0,
      sortby: { Id: 'ASC' },
    },
  };
}
