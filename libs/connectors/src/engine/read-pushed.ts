import { AccessRefused, BadFeed, FeedError, RetryLater } from '@passerelle/domain';
import type { PagedFetch, PreparedRequests, PushedFetch } from '../kit/contracts';
import type { FeedCoverage } from '../kit/feed-shape';
import { inGroups, onceAllAreOver } from '../kit/whole-answers';
import type { RequestedListings, PendingNotifications, FeedMemory } from './contracts';
import { NO_FILES } from './cut/open/archive-files';
import { openDocuments } from './cut/open/open-documents';
import { type FeedPass, type OutcomeGroups, mapDocument } from './feed-pass';
import { NotThere } from './fetch/http/response-status';
import { pastTime } from './fetch/pages/listed-changes';
import { readPages } from './fetch/pages/read-pages';
import { SourceRequests } from './fetch/pages/source-requests';
import type { Spool } from './fetch/spool';
import { fetchPhoto } from './photos/photo-copies';
import { PhotoFiles } from './photos/photo-files';
import { PhotoSeries } from './photos/photo-series';

export interface PushedState {
  notModified: boolean;
  memory: FeedMemory;
  coverage?: FeedCoverage;
  requested?: RequestedListings;
}

/**
 * The number of simultaneous requests. Some sources need a second per listing, so single requests would take too long.
 */
const AT_A_TIME = 8;
/** The maximum number of requests per run; the next run continues. */
const MAX_REQUESTED = 400;
/** When webhooks name more listings than this, the list is read instead. */
const MOST_NAMED_BESIDE_LIST = 100;
/** The share of the period after which a comparison is due. Runs start at intervals, and early is better than late. */
const EARLY = 0.95;
/** When no requested listing is found, this many others are requested, to see whether the source has any listings. */
const OTHERS_REQUESTED = 3;
/** The maximum number of token renewals per run: a token may expire more than once. */
const MOST_RENEWALS = 3;

const NOT_IN_SOURCE = 'the source does not have it any more';

const NOTHING_PENDING: PendingNotifications = {
  named: [],
  isEverything: false,
  unconfirmed: () => Promise.resolve([]),
};

/**
 * Reads the listings that webhooks have named. To make up for lost webhooks, a list is also read completely once per
 * period; without a list, listings that no webhook has named for that period are requested.
 * @param state is filled in during the reading. @throws FeedError when the source answers none of the requests.
 */
export async function* readPushed(pass: FeedPass, fetch: PushedFetch, state: PushedState): OutcomeGroups {
  const { mappingKey, request } = pass;
  const { pending = NOTHING_PENDING } = request;
  const now = new Date();
  copyPhotos(pass);
  // With another mapping key the same record gives another listing, so the previous memory is not valid.
  const previous = request.previous.mappingKey === mappingKey ? request.previous : {};
  const isAnew = previous.mappingKey === undefined || pending.isEverything;
  const earlyMs = fetch.compareEverySeconds * 1000 * EARLY;
  const known = isAnew ? {} : previous;
  const { anewSince = isAnew ? now.toISOString() : undefined } = known;
  const comparedAt = pastTime(known.comparedAt, now);
  if (fetch.list !== undefined) {
    const isDue = comparedAt === undefined || now.getTime() - Date.parse(comparedAt) >= earlyMs;
    if (isDue || pending.named.length > MOST_NAMED_BESIDE_LIST) {
      state.memory = { mappingKey, comparedAt: now.toISOString(), removedAt: now.toISOString() };
      state.requested = { ...nothingRequested(fetch), isEverything: true };
      yield* readPages(pass, fetch.list);
      return;
    }
  }
  state.memory = {
    mappingKey,
    ...(comparedAt !== undefined && { comparedAt }),
    ...(anewSince !== undefined && fetch.list === undefined && { anewSince }),
  };
  const requested: RequestedListings = nothingRequested(fetch);
  state.requested = requested;
  const requests = new ListingRequests(pass, fetch);
  await requests.prepare();
  const removed = await requests.removedSince(new Date(previous.removedAt ?? now));
  state.memory.removedAt = removed
    .reduce((last, { at }) => (at > last ? at : last), new Date(previous.removedAt ?? now))
    .toISOString();
  const named = [...new Set([...pending.named, ...removed.map(({ id }) => id)])];
  const before = new Date(Math.max(now.getTime() - earlyMs, anewMs(anewSince)));
  const ids = await listingsToRequest(fetch, { ...pending, named }, before);
  requested.isMore = ids.length > MAX_REQUESTED;
  if (ids.length === 0) {
    if (request.previous.mappingKey === undefined)
      throw new RetryLater('the CRM has named no listing yet: its listings come with its calls');
    state.notModified = true;
    return;
  }
  // Loads the snapshot even if no document follows, because removed listings are compared with it too.
  await request.beforeRecords?.(pass.files);
  const readGroup = async function* (group: readonly string[]): OutcomeGroups {
    for (const { id, answer } of await requests.request(group)) yield* readAnswer(pass, id, answer, requested);
  };
  for (const group of inGroups(ids.slice(0, MAX_REQUESTED), AT_A_TIME)) yield* readGroup(group);
  requests.assertAnswered(requested);
  // No requested listing was found: check that the API still delivers others, because it may have moved or be out of
  // order.
  if (requested.found.length === 0 && fetch.list !== undefined) await expectList(pass, fetch.list);
  if (requested.found.length === 0 && fetch.list === undefined) yield* readGroup(await othersThan(ids, pending, now));
  judgeMissing(pass, requested, named);
  state.coverage = { kind: 'asked', scopes: [...requested.found, ...requested.gone] };
}

function nothingRequested({ list }: PushedFetch): RequestedListings {
  const isOneByOne = list === undefined;
  return { isEverything: false, found: [], gone: [], unanswered: [], isMore: false, isOneByOne };
}

function anewMs(anewSince: string | undefined): number {
  return anewSince === undefined ? 0 : Date.parse(anewSince);
}

/** Returns up to one listing more than a run requests: the extra one shows that more are left. */
async function listingsToRequest(
  { list }: PushedFetch,
  pending: PendingNotifications,
  before: Date,
): Promise<string[]> {
  const named = pending.named.slice(0, MAX_REQUESTED + 1);
  const left = MAX_REQUESTED + 1 - named.length;
  const others = list !== undefined || left === 0 ? [] : await pending.unconfirmed(before, left + named.length);
  return [...new Set([...named, ...others])].slice(0, MAX_REQUESTED + 1);
}

async function othersThan(
  ids: readonly string[],
  pending: PendingNotifications,
  before: Date,
): Promise<readonly string[]> {
  const others = await pending.unconfirmed(before, ids.length + OTHERS_REQUESTED);
  return others.filter((id) => !ids.includes(id)).slice(0, OTHERS_REQUESTED);
}

/** @throws FeedError when the source does not deliver the first page of its list. */
async function expectList(pass: FeedPass, list: PagedFetch): Promise<void> {
  const requests = new SourceRequests(pass, list);
  const { walks } = await list.prepare(pass.request.source, requests.client);
  for (const first of walks) await pass.session.release(await requests.page(first));
}

function copyPhotos({ connector, reader, request, session }: FeedPass): void {
  if (connector.copiesPhotos !== true || request.photos === undefined) return;
  const fetchDying = (url: string): AsyncIterable<Buffer> => fetchPhoto(session, url);
  reader.photoFiles = new PhotoFiles(request.photos, NO_FILES, '', new PhotoSeries(), fetchDying);
}

type Answer = { kind: 'record'; spool: Spool } | { kind: 'gone' } | { kind: 'failed'; error: FeedError };

/** The requests of one run. */
class ListingRequests {
  private readonly requests: SourceRequests;
  private prepared: PreparedRequests = { base: '', headers: {}, feed: {} };
  private renewals = 0;
  private firstError: FeedError | undefined;

  constructor(
    private readonly pass: FeedPass,
    private readonly fetch: PushedFetch,
  ) {
    const { whenRefused } = fetch;
    this.requests = new SourceRequests(pass, whenRefused === undefined ? {} : { whenRefused });
  }

  async prepare(): Promise<void> {
    this.prepared = await this.fetch.prepare(this.pass.request.source, this.requests.client);
    for (const [name, value] of Object.entries(this.prepared.feed)) this.pass.reader.setContext(name, value);
  }

  async removedSince(since: Date): Promise<readonly { id: string; at: Date }[]> {
    const removed = (await this.fetch.removed?.(since, this.prepared, this.requests.client)) ?? [];
    return removed.filter(({ at }) => at > since);
  }

  async request(group: readonly string[]): Promise<{ id: string; answer: Answer }[]> {
    const ask = (id: string): Promise<Answer> => this.requestOne(id);
    let answers = await onceAllAreOver(group.map(ask));
    const isRefused = (answer: Answer): boolean => answer.kind === 'failed' && answer.error instanceof AccessRefused;
    if (answers.some(isRefused) && this.renewals < MOST_RENEWALS) {
      this.renewals += 1;
      this.requests.refuseExchanged();
      await this.prepare();
      answers = await onceAllAreOver(
        answers.map((answer, index) => (isRefused(answer) ? ask(group[index]!) : Promise.resolve(answer))),
      );
    }
    for (const answer of answers) if (answer.kind === 'failed') this.firstError ??= answer.error;
    return group.map((id, index) => ({ id, answer: answers[index]! }));
  }

  /** @throws FeedError the first error of the source, when it has answered no request. */
  assertAnswered({ found, gone }: RequestedListings): void {
    if (found.length + gone.length === 0 && this.firstError !== undefined) throw this.firstError;
  }

  private async requestOne(id: string): Promise<Answer> {
    const { session } = this.pass;
    try {
      const answer = await this.requests.page(this.fetch.record(id, this.prepared));
      if (this.fetch.document === undefined) return { kind: 'record', spool: answer };
      const document = this.fetch.document(await answer.read(0, answer.sizeBytes), id);
      await session.release(answer);
      return { kind: 'record', spool: await session.spoolEntry(inOneChunk(document)) };
    } catch (error) {
      if (error instanceof NotThere) return { kind: 'gone' };
      if (error instanceof FeedError) return { kind: 'failed', error };
      throw error;
    }
  }
}

async function* readAnswer(pass: FeedPass, id: string, answer: Answer, requested: RequestedListings): OutcomeGroups {
  const { connector, request, session } = pass;
  if (answer.kind === 'gone') {
    requested.gone.push(id);
    pass.records += 1;
    const rejection = { position: pass.records, recordId: id, code: 'withdrawn', message: NOT_IN_SOURCE } as const;
    // The identifier is also given as the `affId`, because a removed unit is stored under the scope of its project.
    yield [{ kind: 'withdrawn', position: pass.records, affId: id, scope: id, rejection }];
  } else if (answer.kind === 'failed') noteUnanswered(pass, id, requested);
  else {
    try {
      const { documents } = await openDocuments(answer.spool, connector.open, request.outbound.maxBytes);
      for (const document of documents) yield* mapDocument(pass, document, { isPage: true });
      requested.found.push(id);
    } catch (error) {
      if (!(error instanceof BadFeed)) throw error;
      noteUnanswered(pass, id, requested);
    } finally {
      await session.release(answer.spool);
    }
  }
}

function noteUnanswered({ warnings }: FeedPass, id: string, requested: RequestedListings): void {
  requested.unanswered.push(id);
  warnings.note('unanswered', '', '');
  warnings.settle(id);
}

/** A source that has lost all its listings without a webhook was moved, is broken, or answers for another agency. */
function judgeMissing(pass: FeedPass, { found, gone, unanswered }: RequestedListings, named: readonly string[]): void {
  const calledFor = new Set(named);
  const unnamed = [...gone, ...unanswered].filter((id) => !calledFor.has(id)).length;
  if (found.length > 0 || gone.length === 0 || unnamed < 2) return;
  pass.incomplete ??= `the source has none of the ${gone.length} requested listings, and has not reported their removal`;
}

async function* inOneChunk(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
