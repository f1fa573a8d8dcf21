import type { Connector } from '../kit/contracts';
import type { FeedMemory, FeedRequest, FeedSummary, RecordOutcome } from './contracts';
import { OutboundSession } from './fetch/http/outbound-session';
import type { FeedPass, OutcomeGroups } from './feed-pass';
import { NO_FILES } from './cut/open/archive-files';
import { readDocument, type DocumentState } from './read-document';
import { readPages } from './fetch/pages/read-pages';
import { type PushedState, readPushed } from './read-pushed';
import { flatten } from './cut/flatten';
import { mappingKeyOf, mappingOf, RecordHasher, recordKeyOf } from './map/record-hash';
import { besideRecords } from './map/stored-records';
import { RecordReader } from './map/record-reader';
import { OrderedMapper } from './map/threads/ordered-mapper';
import type { MappingThreads } from './map/threads/mapping-threads';
import { PhotoCopies } from './photos/photo-copies';
import { WarningTally } from './map/warning-tally';

export interface FeedReading {
  /**
   * The outcomes in feed order; can be iterated once. Connections and temporary files are released when the loop ends,
   * even if it ends early.
   * @throws FeedError when the feed as a whole cannot be read; the signal's reason when it was aborted.
   */
  outcomes: AsyncIterable<RecordOutcome>;
  /** @throws Error until all outcomes have been read. */
  summary(): FeedSummary;
  /** Counts and warnings up to now; also available after a failure. */
  progress(): FeedProgress;
}

export type FeedProgress = Pick<FeedSummary, 'fetchedBytes' | 'records' | 'warnings'>;

/**
 * One pass over one gateway's feed. Nothing happens before the first outcome is requested.
 * @param threads parse and map records in parallel; without them this thread does everything.
 */
export function openFeed(connector: Connector, request: FeedRequest, threads?: MappingThreads): FeedReading {
  let summary: FeedSummary | undefined;
  let progress = (): FeedProgress => ({ fetchedBytes: 0, records: 0, warnings: [] });
  const groups = readFeed(connector, request, threads, {
    onStart: (pass) => {
      progress = () => ({
        fetchedBytes: pass.session.spooledBytes,
        records: pass.records,
        warnings: pass.warnings.list(),
      });
    },
    onComplete: (complete) => {
      summary = complete;
    },
  });
  return {
    outcomes: flatten(groups),
    summary() {
      if (summary === undefined) throw new Error('the feed has not been read to its end');
      return summary;
    },
    progress: () => progress(),
  };
}

/**
 * The names of unknown elements are kept even when the rest of the memory is dropped: if this list is published, they
 * are not new in the next run.
 */
function namesOf({ unknownElements, request }: FeedPass, notModified: boolean): Pick<FeedMemory, 'unknownElements'> {
  if (!notModified) return { unknownElements: [...unknownElements.keys()] };
  const { unknownElements: known } = request.previous;
  return known === undefined ? {} : { unknownElements: known };
}

/** Which mappings the listings have after this pass. A pass that has not read every listing leaves some as they were. */
function mappingsAfter(
  { connector, reader }: FeedPass,
  { previous, remapsLater = false }: FeedRequest,
  { notModified }: DocumentState,
  coverage: FeedSummary['coverage'],
  differing: ReadonlySet<string>,
): Pick<FeedMemory, 'mappingKey' | 'mappedAs' | 'hashedAs' | 'beside'> {
  const { mappingKey, mappedAs: earlier, hashedAs, beside: known } = previous;
  const isWhole = !notModified && coverage.kind === 'whole';
  const mappedAs = remapsLater && !isWhole && earlier !== undefined ? earlier : mappingOf(connector);
  const beside = notModified ? known : besideRecords(connector, reader.feed, differing);
  return {
    ...(remapsLater && mappedAs === earlier && mappingKey !== undefined && { mappingKey }),
    mappedAs,
    ...(mappedAs === earlier && hashedAs !== undefined && { hashedAs }),
    ...(beside !== undefined && { beside }),
  };
}

interface ReadingEvents {
  onStart: (pass: FeedPass) => void;
  onComplete: (summary: FeedSummary) => void;
}

async function* readFeed(
  connector: Connector,
  request: FeedRequest,
  threads: MappingThreads | undefined,
  { onStart, onComplete }: ReadingEvents,
): OutcomeGroups {
  const { source, outbound, signal } = request;
  const mappingKey = mappingKeyOf(connector, source, request.photos?.key);
  const previous = request.remapsLater === true ? { ...request.previous, mappingKey } : request.previous;
  const warnings = new WarningTally();
  const isKnown = (hash: string): boolean => request.isKnown(hash);
  const hasher = await RecordHasher.make(recordKeyOf(connector, source, request.photos?.key));
  const threaded = threads?.begin(() => ({ crm: connector.code, settings: source.settings, feed: reader.feed }));
  const reader: RecordReader = new RecordReader(connector, source.settings, hasher, isKnown, warnings, threaded);
  const copies = new PhotoCopies(request, connector.quota?.host);
  const pass: FeedPass = {
    connector,
    request: { ...request, previous },
    mappingKey,
    session: new OutboundSession(outbound, signal, Object.values(source.credentials), request.work),
    reader,
    line: threaded === undefined ? undefined : new OrderedMapper(reader, threaded, isKnown, warnings, signal),
    warnings,
    files: NO_FILES,
    copies,
    records: 0,
    furtherOffers: 0,
    incomplete: null,
    unknownElements: new Map(),
    scopes: new Set(),
  };
  onStart(pass);
  const state: DocumentState & PushedState = { notModified: false, memory: { mappingKey } };
  try {
    const { fetch } = connector;
    if (fetch.kind === 'document') yield* readDocument(pass, fetch, state);
    else if (fetch.kind === 'pages') yield* readPages(pass, fetch, state);
    else yield* readPushed(pass, fetch, state);
    const coverage = state.coverage ?? connector.coverage?.(pass.reader.feed, [...pass.scopes]) ?? { kind: 'whole' };
    const memory = { ...state.memory, ...mappingsAfter(pass, request, state, coverage, hasher.differing) };
    onComplete({
      notModified: state.notModified,
      fetchedBytes: pass.session.spooledBytes,
      records: pass.records,
      incomplete: pass.incomplete,
      coverage,
      warnings: warnings.list(),
      // An incomplete feed must be read again, even when the source says that nothing changed since.
      memory: { ...(pass.incomplete === null ? memory : {}), ...namesOf(pass, state.notModified) },
      unknownElements: Object.fromEntries(pass.unknownElements),
      ...(state.requested !== undefined && { requested: state.requested }),
    });
  } finally {
    threaded?.end();
    await copies.close();
    await pass.session.close();
  }
}
