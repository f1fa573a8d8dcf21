import { AccessRefused, BadFeed, FeedError, RetryLater } from '@passerelle/domain';
import type { PagedFetch, RecordOutcome, SourceClient, SourceRequest } from '../kit/contracts';
import { checkDeclared, readPart, type FeedPass, type PartNotes } from './feed-pass';
import { openParts } from './open/open-parts';
import { askPatiently, pause } from './patient-request';

/** Between two pages, so that a walk does not use up a source's quota of requests per second. */
const COURTESY_MS = 100;
const MAX_PAGES_PER_WALK = 20_000;
const MAX_SECONDARY_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Walks an API, one walk after the other. Once a page was read, a later one that cannot be had makes the feed
 * incomplete; only a passing outage still ends the pass, since a new one may find everything.
 *
 * @throws FeedError
 */
export async function* readPages(pass: FeedPass, fetch: PagedFetch): AsyncGenerator<RecordOutcome, void, undefined> {
  const client = sourceClient(pass);
  const prepared = await fetch.prepare(pass.request.source, client);
  for (const [name, value] of Object.entries(prepared.feed)) pass.reader.setContext(name, value);
  const progress: Progress = { pages: 0, canPrepareAgain: true };
  for (const [index, first] of prepared.walks.entries()) {
    const renewed = async (): Promise<SourceRequest | undefined> =>
      (await fetch.prepare(pass.request.source, client)).walks[index];
    yield* readWalk(pass, fetch, first, progress, renewed);
    if (pass.incomplete !== null) return;
  }
}

interface Progress {
  /** Read so far, in all walks. */
  pages: number;
  canPrepareAgain: boolean;
}

async function* readWalk(
  pass: FeedPass,
  fetch: PagedFetch,
  first: SourceRequest,
  progress: Progress,
  renewed: () => Promise<SourceRequest | undefined>,
): AsyncGenerator<RecordOutcome, void, undefined> {
  const seen = new Set<string>();
  const recordsBefore = pass.records;
  let firstDeclared: number | undefined;
  let declared: number | undefined;
  let request: SourceRequest | undefined = first;
  while (request !== undefined) {
    const identity = `${request.method ?? 'GET'} ${request.url} ${request.body ?? ''}`;
    if (seen.has(identity)) {
      pass.incomplete ??= `page ${seen.size} of the walk leads back to a page that was read already`;
      return;
    }
    if (seen.size === MAX_PAGES_PER_WALK) {
      pass.incomplete ??= `the walk does not end after ${MAX_PAGES_PER_WALK} pages`;
      return;
    }
    seen.add(identity);
    const notes: PartNotes = { declared: undefined, envelope: {} };
    const recordsBeforePage = pass.records;
    try {
      if (progress.pages > 0) await pause(COURTESY_MS, pass.request.signal);
      request = yield* readPage(pass, request, progress, renewed, notes);
    } catch (error) {
      if (progress.pages === 0 || !(error instanceof FeedError) || error instanceof RetryLater) throw error;
      pass.incomplete ??= `page ${seen.size} of the walk could not be read: ${error.message}`;
      return;
    }
    // A page that was cut says nothing reliable about the next one.
    if (pass.incomplete !== null) return;
    progress.pages += 1;
    firstDeclared ??= notes.declared;
    declared = notes.declared ?? declared;
    request = fetch.next({
      request,
      records: pass.records - recordsBeforePage,
      recordsSoFar: pass.records - recordsBefore,
      declared,
      envelope: notes.envelope,
    });
  }
  checkDeclared(pass, declared, pass.records - recordsBefore, firstDeclared);
}

/** Reads one page; returns the request that worked, since a token may have been renewed for it. */
async function* readPage(
  pass: FeedPass,
  request: SourceRequest,
  progress: Progress,
  renewed: () => Promise<SourceRequest | undefined>,
  notes: PartNotes,
): AsyncGenerator<RecordOutcome, SourceRequest, undefined> {
  const { session, connector } = pass;
  const { outbound, signal } = pass.request;
  let working = request;
  const spool = await askPatiently(session, request, signal).catch(async (error: unknown) => {
    if (!(error instanceof AccessRefused) || progress.pages === 0 || !progress.canPrepareAgain) throw error;
    // A token that ran out on the way: the walk's first request is made anew, with its headers, once.
    progress.canPrepareAgain = false;
    const again = await renewed();
    // A page on another origin was asked for without the token: it does not get the new one either.
    if (again?.headers === undefined || new URL(again.url).origin !== new URL(request.url).origin) throw error;
    working = { ...request, headers: again.headers };
    return await askPatiently(session, working, signal);
  });
  try {
    const { parts } = await openParts(spool, connector.open, outbound.maxBytes);
    for (const part of parts) yield* readPart(pass, part, 'walk', notes);
  } finally {
    await session.release(spool);
  }
  return working;
}

function sourceClient({ session, request, warnings }: FeedPass): SourceClient {
  return {
    async getJson(question) {
      const spool = await askPatiently(session, question, request.signal);
      try {
        const shown = session.show(question.url);
        if (spool.sizeBytes > MAX_SECONDARY_ANSWER_BYTES)
          throw new BadFeed(`${shown} answered with more bytes than expected`);
        const text = (await spool.read(0, spool.sizeBytes)).toString('utf8').replace(/^\ufeff/, '');
        try {
          const answer: unknown = JSON.parse(text);
          return answer;
        } catch {
          // Without the cause: its message quotes the answer, which may hold a token.
          throw new BadFeed(`${shown} did not answer with JSON`);
        }
      } finally {
        await session.release(spool);
      }
    },
    warn(code, field, value) {
      warnings.note(code, field, value);
      warnings.settle(undefined);
    },
  };
}
