import { AccessRefused, FeedError, RetryLater } from '@passerelle/domain';
import type { PagedFetch, SourceRequest, WalkedPage } from '../../../kit/contracts';
import type { PageStore } from './page-store';
import { checkDeclared, checkComplete, type FeedPass } from '../../feed-pass';
import { PageLog } from './page-log';
import type { PageReader, ReadPage } from './page-reader';

const MAX_WALKS = 4;
const MAX_PAGES_PER_WALK = 20_000;

const WITHOUT_OVERLAP =
  'the pages cannot be requested with an overlap, so that changes during the walk would go unnoticed';

export interface WalkableList {
  pass: FeedPass;
  fetch: PagedFetch;
  reader: PageReader;
  store: PageStore;
  first: SourceRequest;
  /** Builds `first` again with a new token, and returns it. */
  prepareAgain: () => Promise<SourceRequest | undefined>;
}

/** A page, and the positions of the records on it that belong to the list; without `positions` all of them do. */
export interface ListPage {
  page: ReadPage;
  positions?: ReadonlySet<number> | undefined;
}

/** Why a walk did not reach the end of its list. */
interface Breakdown {
  reason: string;
  /** Whether another walk may get further. */
  mayPass: boolean;
  /** The part of the page that has arrived. */
  page?: ReadPage;
}

/**
 * Walks a list until its pages prove that they are the whole list of one moment; an unchanged list takes two walks.
 * Without a proof the feed is incomplete. The function gives up after `MAX_WALKS` walks with changes, after two walks
 * in a row that break down, or when two walks agree with each other but not with the declared total. @throws RetryLater
 * when the source is out of service.
 */
export async function walkUntilProven(list: WalkableList, firstPage: ReadPage): Promise<ListPage[]> {
  const { pass, reader, fetch } = list;
  const log = new PageLog();
  const pages: ReadPage[] = [];
  const starts: number[] = [];
  let breakdowns = 0;
  for (let walks = 1; ; walks += 1) {
    starts.push(pages.length);
    log.startWalk();
    if (walks > 1) await list.store.startWalk();
    const overlapped = (page: WalkedPage): SourceRequest | undefined => {
      const next = fetch.next(page);
      return next && (fetch.overlapping?.(next, page) ?? next);
    };
    const breakdown = await walkOnce(list, walks === 1 ? firstPage : undefined, overlapped, async (page) => {
      const ids = await reader.mapRecords(page, (bytes) => pass.reader.identify(bytes));
      const added = log.add(ids, { declared: page.declared, overlaps: page.request.overlaps });
      pages.push(page);
      return { added, isEnough: log.findWhole() !== undefined };
    });
    // A walk that stopped early, because the proof was found, has not seen the end of the list.
    if (breakdown === undefined && log.findWhole() === undefined) log.endWalk();
    const whole = log.findWhole();
    if (whole !== undefined) {
      const proven = [...whole].map(([number, positions]) => ({ page: pages[number]!, positions }));
      checkComplete(pass, log.declared, countRecords(proven));
      return proven;
    }
    const isHopeless = !log.canProve && log.pagesOutOfStep === 0;
    if (breakdown === undefined && isHopeless && pass.request.ignoresDeclaredCount !== true) {
      pass.incomplete ??= WITHOUT_OVERLAP;
      return ownRecords(pages, log);
    }
    breakdowns = breakdown === undefined ? 0 : breakdowns + 1;
    if (breakdown !== undefined && (!breakdown.mayPass || breakdowns === 2)) {
      pass.incomplete ??= breakdown.reason;
      return longerWalk(ownRecords(pages, log), starts, breakdown.page);
    }
    if (breakdown === undefined && log.repeatsLastWalk()) {
      const walked = ownRecords(pages, log).slice(starts.at(-1));
      checkAgreed(pass, log, walked);
      return walked;
    }
    if (walks === MAX_WALKS) {
      pass.incomplete ??= `the list changed during each of ${MAX_WALKS} walks through its pages`;
      return longerWalk(ownRecords(pages, log), starts, breakdown?.page);
    }
  }
}

/** The longer of the last two walks, because an operator may publish an incomplete run by hand. */
function longerWalk(pages: readonly ListPage[], starts: readonly number[], rest: ReadPage | undefined): ListPage[] {
  const last = [...pages.slice(starts.at(-1)), ...(rest === undefined ? [] : [{ page: rest }])];
  const before = starts.length < 2 ? [] : pages.slice(starts.at(-2), starts.at(-1));
  return countRecords(before) > countRecords(last) ? before : last;
}

function ownRecords(pages: readonly ReadPage[], log: PageLog): ListPage[] {
  return pages.map((page, number) => ({ page, positions: log.ownPositions(number) }));
}

function countRecords(pages: readonly ListPage[]): number {
  return pages.reduce((sum, { page, positions }) => sum + (positions?.size ?? page.records), 0);
}

/**
 * Two walks agree, so the list does not change. Remaining contradictions come from the way in which the source counts
 * records or divides pages.
 */
function checkAgreed(pass: FeedPass, log: PageLog, pages: readonly ListPage[]): void {
  checkDeclaredBy(pass, pages);
  const { pagesOutOfStep: outOfStep } = log;
  if (outOfStep > 0 && pass.request.ignoresDeclaredCount !== true) {
    pass.incomplete ??= `${outOfStep} of the ${pages.length} pages repeat records of other pages, or do not begin where the previous page ends: records may be missing`;
  }
}

/** Walks a list once, for sources whose pages do not shift. @throws RetryLater when the source is out of service. */
export async function walkStablePages(list: WalkableList, firstPage: ReadPage): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  const following = (page: WalkedPage): SourceRequest | undefined => list.fetch.next(page);
  const breakdown = await walkOnce(list, firstPage, following, (page) => {
    const { overlaps = 0 } = page.request;
    const own = [...Array(page.records).keys()].slice(overlaps);
    pages.push({ page, positions: overlaps === 0 ? undefined : new Set(own) });
    return { added: own.length, isEnough: false };
  });
  const declared = declaredBy(pages);
  const records = countRecords(pages);
  if (breakdown !== undefined) list.pass.incomplete ??= breakdown.reason;
  // Records come and go during the walk, so their number lies between the lowest and the highest declared total.
  else if (records < Math.min(...declared) || records > Math.max(...declared)) checkDeclaredBy(list.pass, pages);
  return longerWalk(pages, [0], breakdown?.page);
}

interface Brought {
  /** How many records the page adds to the walk. */
  added: number;
  /** Whether the walk may stop. */
  isEnough: boolean;
}

/** Reads page after page until there are no more, or until `onPage` returns `isEnough`. */
async function walkOnce(
  list: WalkableList,
  firstPage: ReadPage | undefined,
  next: PagedFetch['next'],
  onPage: (page: ReadPage) => Promise<Brought> | Brought,
): Promise<Breakdown | undefined> {
  const { reader, store } = list;
  const seen = new Set<string>();
  let recordsSoFar = 0;
  let declared: number | undefined;
  let page = firstPage;
  let request: SourceRequest | undefined = firstPage?.request ?? list.first;
  while (request !== undefined) {
    const identity = `${request.method ?? 'GET'} ${request.url} ${request.body ?? ''}`;
    if (seen.has(identity)) {
      return { reason: `page ${seen.size} of the walk leads back to a page that was read already`, mayPass: false };
    }
    if (seen.size === MAX_PAGES_PER_WALK) {
      return { reason: `the walk does not end after ${MAX_PAGES_PER_WALK} pages`, mayPass: false };
    }
    seen.add(identity);
    try {
      page ??= await reader.read(request, store, list.prepareAgain);
      // A truncated page says nothing reliable about the next one.
      if (page.cut !== undefined) return { reason: page.cut, mayPass: true, page };
      const { added, isEnough } = await onPage(page);
      // The page has only records that it shares with the previous one, so the list ends here, whatever was declared.
      if (isEnough || (added === 0 && page.request.overlaps !== undefined)) return undefined;
      recordsSoFar += added;
      declared = page.declared ?? declared;
      request = next({ ...page, recordsSoFar, resumeAt: resumeAt(recordsSoFar, page), declared });
    } catch (error) {
      if (!(error instanceof FeedError) || error instanceof RetryLater) throw error;
      const reason = `page ${seen.size} of the walk could not be read: ${error.message}`;
      return { reason, mayPass: !(error instanceof AccessRefused) };
    }
    page = undefined;
  }
  return undefined;
}

/**
 * Where the next page starts: at the last record, because reading it again shows whether records have moved. After an
 * empty page, the number of records so far.
 */
export function resumeAt(recordsSoFar: number, { records }: Pick<ReadPage, 'records'>): number {
  return records === 0 ? recordsSoFar : recordsSoFar - 1;
}

function checkDeclaredBy(pass: FeedPass, pages: readonly ListPage[]): void {
  const declared = declaredBy(pages);
  const records = countRecords(pages);
  if (Math.max(...declared) > records) checkDeclared(pass, declared.at(-1), records, declared[0]);
  else checkComplete(pass, declared.at(-1), records);
}

function declaredBy(pages: readonly ListPage[]): number[] {
  return pages.map(({ page }) => page.declared).filter((count) => count !== undefined);
}
