import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadFeed } from '@passerelle/domain';
import { toFlag } from '../kit/clean/flag';
import type { Connector, FeedPart, FeedRequest, RecordContext, RecordOutcome } from '../kit/contracts';
import type { OutboundSession } from './download/outbound-session';
import { decodeText } from './readers/encoding';
import type { RecordReader } from './record-reader';
import type { WarningTally } from './warning-tally';

/** How long records are read in one go, so that timers, such as the renewal of a queue's lock, are not starved. */
const TURN_MS = 5;
const MOST_RECORDS = 1_000_000;

/** What one pass over a feed shares: its means, and what is known so far. */
export interface FeedPass {
  readonly connector: Connector;
  readonly request: FeedRequest;
  readonly recipe: string;
  readonly session: OutboundSession;
  readonly reader: RecordReader;
  readonly warnings: WarningTally;
  /** Records so far. */
  records: number;
  incomplete: string | null;
  /** Those of which the feed lists everything. */
  readonly scopes: Set<string>;
}

/** What one part said beside its records. */
export interface PartNotes {
  declared: number | undefined;
  /** Parsed context slices, where they are not for the mapping. */
  envelope: Record<string, unknown>;
}

/**
 * Cuts one part and turns its records into outcomes. Context slices are for the mapping, or, in pages, for the walk:
 * there they hold cursors and clocks that change with every fetch.
 */
export async function* readPart(
  pass: FeedPass,
  part: FeedPart,
  contextIsFor: 'mapping' | 'walk',
  notes: PartNotes,
): AsyncGenerator<RecordOutcome, void, undefined> {
  const { connector, reader, request } = pass;
  await request.beforeRecords?.();
  let turnStartedAt = performance.now();
  for await (const slice of connector.format.slice(part)) {
    switch (slice.kind) {
      case 'record':
        count(pass);
        yield reader.read(slice, pass.records);
        break;
      case 'broken':
        count(pass);
        yield reader.reject(slice, pass.records);
        break;
      case 'context': {
        const value = parseContext(connector, slice.name, slice.bytes, reader.feed);
        if (contextIsFor === 'mapping' || slice.name.startsWith('#')) reader.setContext(slice.name, value);
        else notes.envelope[slice.name] = value;
        break;
      }
      case 'declared':
        notes.declared = slice.count;
        break;
      case 'scope':
        pass.scopes.add(slice.scope);
        break;
      case 'incomplete':
        pass.incomplete ??= slice.message;
    }
    if (performance.now() - turnStartedAt > TURN_MS) {
      await nextTurn();
      request.signal.throwIfAborted();
      turnStartedAt = performance.now();
    }
  }
}

function count(pass: FeedPass): void {
  pass.records += 1;
  const most = pass.request.outbound.maxRecords ?? MOST_RECORDS;
  if (pass.records > most) throw new BadFeed(`the feed has more than ${most} records`);
}

/**
 * Compares what a source declares with what it gave: another number means that something went wrong on its side or on
 * the way. Operators may tell (`ignore-declared-count`) of a source that never counts right.
 */
export function checkDeclared(
  pass: FeedPass,
  declared: number | undefined,
  records: number,
  declaredAtFirst = declared,
): void {
  if (declared === undefined || declared === records) return;
  pass.warnings.note('declared_count', '', String(declared));
  pass.warnings.settle(undefined);
  if (toFlag(pass.request.source.settings['ignore-declared-count']) === true) return;
  pass.incomplete ??=
    records < declared || declaredAtFirst === declared
      ? `the source declares ${declared} records and gave ${records}`
      : `the source declared ${declaredAtFirst ?? 0} records at first, ${declared} at last, and gave ${records}`;
}

function parseContext(connector: Connector, name: string, bytes: Buffer, feed: RecordContext['feed']): unknown {
  if (name.startsWith('#') || connector.format.parseContext === undefined) return decodeText(bytes).text;
  try {
    return connector.format.parseContext(name, bytes, feed);
  } catch (error) {
    throw new BadFeed(`"${name}" beside the records cannot be read`, { cause: error });
  }
}
