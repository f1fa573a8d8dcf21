import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadFeed } from '@passerelle/domain';
import type { Connector, FeedDocument, Slice, LoopYield } from '../kit/contracts';
import type { ArchiveFiles, FeedRequest, RecordOutcome } from './contracts';
import type { OutboundSession } from './fetch/http/outbound-session';
import { decodeText } from './cut/encoding';
import type { RecordReader, RecordSlice } from './map/record-reader';
import type { OrderedMapper } from './map/threads/ordered-mapper';
import type { PhotoCopies } from './photos/photo-copies';
import type { WarningTally } from './map/warning-tally';

/** How long records are read before the event loop may run timers. */
const YIELD_AFTER_MS = 5;
const MOST_RECORDS = 1_000_000;
const MOST_OF_A_GROUP = 64;

export interface FeedPass {
  readonly connector: Connector;
  readonly request: FeedRequest;
  readonly mappingKey: string;
  readonly session: OutboundSession;
  readonly reader: RecordReader;
  /** Undefined when no other threads map records. */
  readonly line: OrderedMapper | undefined;
  readonly warnings: WarningTally;
  /** Beside the records. */
  files: ArchiveFiles;
  readonly copies: Pick<PhotoCopies, 'prepare' | 'fetch'>;
  /** Records so far. */
  records: number;
  /** Further offers of the previous record, included in `records`. */
  furtherOffers: number;
  incomplete: string | null;
  readonly unknownElements: Map<string, number>;
  /** Scopes whose listings are all in the feed. */
  readonly scopes: Set<string>;
}

export interface DocumentReading {
  /** Whether the document is a page. The walk, not the mapping, reads its other contents, such as cursors. */
  isPage: boolean;
  onDeclared?: (count: number) => void;
  /** Called for each record in order; by default, all records are wanted. */
  isWanted?: () => boolean;
  /** Requests the record of a summary; undefined when it is not available now. */
  detailOf?: (summary: RecordSlice) => Promise<Extract<Slice, { kind: 'record' | 'broken' }> | undefined>;
}

/** Outcomes are passed on in groups, because passing on one outcome costs as much as recognizing a record. */
export type OutcomeGroups = AsyncGenerator<readonly RecordOutcome[], void, undefined>;

export async function* mapDocument(
  pass: FeedPass,
  document: FeedDocument,
  { isPage, onDeclared, isWanted, detailOf }: DocumentReading,
): OutcomeGroups {
  const { connector, reader, request } = pass;
  await request.work?.enter();
  await request.beforeRecords?.(pass.files);
  const loopYield = new EventLoopYield(request.signal);
  await survey(pass, document, loopYield);
  await pass.copies.prepare(reader, document);
  // Other threads can neither store photos that came as files nor request detail records.
  const line = reader.photoFiles === null && detailOf === undefined ? pass.line : undefined;
  const recognizing = { ...document, recognize: (record: Buffer) => reader.recognize(record) };
  const group: RecordOutcome[] = [];
  let isRecordWanted = true;
  try {
    for await (const slice of connector.format.slice(recognizing)) {
      switch (slice.kind) {
        case 'record':
        case 'broken': {
          if (isOwnRecord(slice)) isRecordWanted = isWanted?.() !== false;
          else pass.furtherOffers += isRecordWanted ? 1 : 0;
          if (!isRecordWanted) break;
          const whole =
            slice.kind === 'record' && detailOf !== undefined ? await backAtWork(pass, detailOf(slice)) : slice;
          if (whole === undefined) break;
          count(pass);
          const outcome = outcomeOf(pass, line, whole);
          if (outcome !== undefined) group.push(outcome instanceof Promise ? await backAtWork(pass, outcome) : outcome);
          while (line?.isReady === true) group.push(...(await line.nextBatch()));
          break;
        }
        case 'context':
          if (isPage && !slice.name.startsWith('#')) break;
          line?.close();
          reader.setContext(slice.name, parseContext(pass, slice));
          break;
        case 'declared':
          onDeclared?.(slice.count);
          break;
        case 'scope':
          pass.scopes.add(slice.scope);
          break;
        case 'incomplete':
          pass.incomplete ??= slice.message;
          break;
        case 'unknown':
          noteUnknown(pass, slice);
          break;
        case 'noticed':
          pass.warnings.note(slice.code, slice.field, slice.message);
          pass.warnings.settle(undefined);
      }
      const isTurnOver = loopYield.isDue();
      if (group.length >= MOST_OF_A_GROUP || (isTurnOver && group.length > 0)) yield group.splice(0);
      if (isTurnOver) await loopYield.wait();
    }
    line?.close();
    while (line?.isEmpty === false) group.push(...(await line.nextBatch()));
  } catch (error) {
    // Rejections before the failure belong to the run's report.
    if (group.length > 0 && !request.signal.aborted) yield group;
    throw error;
  }
  if (group.length > 0) yield group;
}

function noteUnknown(
  { unknownElements, warnings }: FeedPass,
  { name, count }: Extract<Slice, { kind: 'unknown' }>,
): void {
  unknownElements.set(name, (unknownElements.get(name) ?? 0) + count);
  warnings.note('unknown_element', name, '', count);
  warnings.settle(undefined);
}

/** Takes the processing slot again after the wait, because a detail request may have released it. */
async function backAtWork<T>({ request }: FeedPass, waited: Promise<T>): Promise<T> {
  const result = await waited;
  await request.work?.enter();
  return result;
}

/** Whether a slice is a record of the source, and not a further offer of the previous record. */
export function isOwnRecord(slice: Slice): slice is Extract<Slice, { kind: 'record' | 'broken' }> {
  return slice.kind === 'broken' || (slice.kind === 'record' && slice.isFurtherOffer !== true);
}

/** The outcome of a slice; undefined when it comes later, with a batch. */
function outcomeOf(
  { reader, records }: FeedPass,
  line: OrderedMapper | undefined,
  slice: Extract<Slice, { kind: 'record' | 'broken' }>,
): RecordOutcome | Promise<RecordOutcome> | undefined {
  if (slice.kind === 'record') return line === undefined ? reader.read(slice, records) : line.take(slice, records);
  const rejected = reader.reject(slice, records);
  return line === undefined ? rejected : line.add(rejected);
}

/** Reads the whole document first, and gives its findings to the reader before the first record. */
async function survey(
  { connector, reader }: FeedPass,
  document: FeedDocument,
  loopYield: EventLoopYield,
): Promise<void> {
  const partSurvey = connector.format.survey?.();
  if (partSurvey === undefined) return;
  await partSurvey.inspect(document, loopYield);
  for (const [name, value] of Object.entries(partSurvey.findings())) reader.setContext(name, value);
}

/** Lets timers run between records, such as the one that renews the queue's lock. */
export class EventLoopYield implements LoopYield {
  private startedAt = performance.now();

  constructor(private readonly signal: AbortSignal) {}

  isDue(): boolean {
    return performance.now() - this.startedAt > YIELD_AFTER_MS;
  }

  async wait(): Promise<void> {
    await nextTurn();
    this.signal.throwIfAborted();
    this.startedAt = performance.now();
  }
}

function count(pass: FeedPass): void {
  pass.records += 1;
  const most = pass.request.outbound.maxRecords ?? MOST_RECORDS;
  if (pass.records > most) throw new BadFeed(`the feed has more than ${most} records`);
}

/** A wrong declared number of records makes the feed incomplete, unless an operator has set it to be ignored. */
export function checkDeclared(
  pass: FeedPass,
  declared: number | undefined,
  records: number,
  declaredAtFirst = declared,
): void {
  if (declared === undefined || declared === records) return;
  pass.warnings.note('declared_count', '', String(declared));
  pass.warnings.settle(undefined);
  if (pass.request.ignoresDeclaredCount === true) return;
  pass.incomplete ??=
    records < declared || declaredAtFirst === declared
      ? `the source declares ${declared} records and gave ${records}`
      : `the source declared ${declaredAtFirst ?? 0} records at first, ${declared} at last, and gave ${records}`;
}

/** After a whole walk, a too low declared number only causes a warning; a too high number means missing pages. */
export function checkComplete(
  pass: FeedPass,
  declared: number | undefined,
  records: number,
  declaredAtFirst = declared,
): void {
  if (declared === undefined || declared >= records) {
    checkDeclared(pass, declared, records, declaredAtFirst);
    return;
  }
  pass.warnings.note('declared_count', '', String(declared));
  pass.warnings.settle(undefined);
}

/** @throws BadFeed */
export function parseContext(
  { connector, reader }: { connector: Connector; reader: Pick<RecordReader, 'feed'> },
  { name, bytes }: Extract<Slice, { kind: 'context' }>,
): unknown {
  if (name.startsWith('#') || connector.format.parseContext === undefined) return decodeText(bytes).text;
  try {
    return connector.format.parseContext(name, bytes, reader.feed);
  } catch (error) {
    throw new BadFeed(`"${name}" beside the records cannot be read`, { cause: error });
  }
}
