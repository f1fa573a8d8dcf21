import type { Listing } from '@passerelle/domain';

import { withAddressesOnly } from '../../../libs/connectors/src/engine/photos/photo-files';
import {
  type Connector,
  type RecordContext,
  RecordError,
  type Slice,
} from '../../../libs/connectors/src/kit/contracts';
import { feedDocument } from './feed-document';
import { type FeedSurroundings, recordingContext } from './recording-context';

export type { FeedSurroundings } from './recording-context';

/** The result for one record, in a readable form for a fixture. */
export type RecordResult =
  | { listing: Listing; raw: Record<string, unknown>; scope?: string; revision?: string }
  | { withdrawn: string; message: string }
  | { rejected: string; field?: string };

/** A feed that a test read without network and engine, only with the connector's format and mapping. */
export interface ReadFeed {
  records: RecordResult[];
  /** `code field value`, in order, without duplicates. */
  warnings: string[];
  /** Notes about elements outside the records. */
  notes: string[];
}

/** Reads the bytes of a feed with a connector. @throws FeedError like the format */
export async function readRecords<R>(
  connector: Connector<R>,
  bytes: Buffer,
  surroundings: FeedSurroundings = {},
): Promise<ReadFeed> {
  const noticing = recordingContext(connector.code, surroundings);
  const records: RecordResult[] = [];
  const notes: string[] = [];
  for (const [name, value] of Object.entries(await surveyed(connector, bytes))) noticing.setFeed(name, value);
  for await (const slice of connector.format.slice(feedDocument(bytes))) {
    if (slice.kind === 'record') records.push(readRecord(connector, slice.bytes, noticing.context));
    else if (slice.kind === 'context')
      noticing.setFeed(slice.name, parseContext(connector, slice, noticing.context.feed));
    else notes.push(noteOf(slice));
  }
  return { records, warnings: [...new Set(noticing.warnings)], notes };
}

/** Surveys the whole feed. @returns the results as context by name */
export async function surveyed<R>(
  { format }: Pick<Connector<R>, 'format'>,
  bytes: Buffer,
): Promise<Readonly<Record<string, unknown>>> {
  const survey = format.survey?.();
  if (survey === undefined) return {};
  await survey.inspect(feedDocument(bytes), { isDue: () => false, wait: () => Promise.resolve() });
  return survey.findings();
}

/**
 * Reads the bytes of one record. Throws on errors other than `RecordError`, because such errors are bugs of the
 * connector.
 */
export function readRecord<R>(
  connector: Connector<R>,
  bytes: Buffer,
  context: ReturnType<typeof recordingContext>['context'],
): RecordResult {
  try {
    const record = connector.format.parse(bytes, context);
    const raw = connector.format.toRaw(record, context);
    const mapped = connector.map(record, context);
    if (mapped.kind === 'withdrawn') return { withdrawn: mapped.affId, message: mapped.message };
    const { scope, revision } = mapped;
    // There is no archive.
    const listing = withAddressesOnly({ ...mapped.listing }, (code, field, value) => {
      context.warn(code, field, value);
    });
    return { listing, raw, ...(scope === undefined ? {} : { scope }), ...(revision === undefined ? {} : { revision }) };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { rejected: error.code, ...(error.field === undefined ? {} : { field: error.field }) };
  }
}

function parseContext<R>(
  connector: Connector<R>,
  slice: Extract<Slice, { kind: 'context' }>,
  feed: RecordContext['feed'],
): unknown {
  if (slice.name.startsWith('#')) return slice.bytes.toString('latin1');
  return connector.format.parseContext?.(slice.name, slice.bytes, feed);
}

function noteOf(slice: Exclude<Slice, { kind: 'record' | 'context' }>): string {
  if (slice.kind === 'scope') return `scope ${slice.scope}`;
  if (slice.kind === 'unknown') return `unknown ${slice.name} ×${slice.count}`;
  return slice.kind === 'declared' ? `declared ${slice.count}` : `${slice.kind}: ${slice.message}`;
}
