import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AdmZip from 'adm-zip';
import type { Listing } from '@passerelle/domain';

import type { Connector, SourceConfig } from '../../../libs/connectors/src/kit/contracts';
import type { FeedRequest, FeedSummary, OutboundPolicy } from '../../../libs/connectors/src/engine/contracts';
import { openFeed } from '../../../libs/connectors/src/engine/read-feed';

/** The result of importing a file from the inbox with the real engine. */
export interface DroppedFeed {
  /** In the feed's order. */
  listings: Listing[];
  /** The raw records of these listings, in the same order. */
  raws: Record<string, unknown>[];
  /** The records' hashes. */
  hashes: string[];
  /** `code id-or-position: message` of rejected and withdrawn records. */
  rejections: string[];
  /** `code field value ×count`. */
  warnings: string[];
  summary: FeedSummary;
}

/** Imports a file as if it were in the inbox. @throws FeedError like the engine */
export async function readDropped(
  connector: Connector,
  content: Buffer | string,
  settings: Readonly<Record<string, string>> = {},
): Promise<DroppedFeed> {
  const inboxDir = mkdtempSync(join(tmpdir(), 'dropped-'));
  try {
    writeFileSync(join(inboxDir, 'feed'), content);
    // Set an old modification time, because the engine waits for a file that may still be growing.
    utimesSync(join(inboxDir, 'feed'), 1_700_000_000, 1_700_000_000);
    return await readSource(connector, { url: 'file:feed', credentials: {}, settings }, { inboxDir });
  } finally {
    rmSync(inboxDir, { recursive: true });
  }
}

/**
 * Imports a source of any kind.
 * @param remembered results of earlier imports
 * @throws FeedError like the engine
 */
export async function readSource(
  connector: Connector,
  source: SourceConfig,
  outbound: Partial<OutboundPolicy>,
  { previous = {}, memory }: Partial<Pick<FeedRequest, 'previous' | 'memory'>> = {},
): Promise<DroppedFeed> {
  const limits = { allowPrivate: new Set<string>(), inboxDir: '/', maxBytes: 10_000_000, timeoutMs: 300_000 };
  const reading = openFeed(connector, {
    source,
    previous,
    ...(memory !== undefined && { memory }),
    isKnown: () => false,
    outbound: { ...limits, idleTimeoutMs: 60_000, ...outbound },
    signal: new AbortController().signal,
  });
  const feed: Omit<DroppedFeed, 'summary' | 'warnings'> = { listings: [], raws: [], hashes: [], rejections: [] };
  for await (const outcome of reading.outcomes) {
    if (outcome.kind === 'listing') {
      feed.listings.push(JSON.parse(outcome.normalized.toString()) as Listing);
      feed.raws.push(JSON.parse(outcome.raw.toString()) as Record<string, unknown>);
      feed.hashes.push(outcome.hash);
    } else if (outcome.kind !== 'unchanged') {
      const { code, recordId, position, message } = outcome.rejection;
      feed.rejections.push(`${code} ${recordId ?? position}: ${message}`);
    }
  }
  const summary = reading.summary();
  const warnings = summary.warnings.map(({ code, field, value, count }) =>
    [code, field, value, `×${count}`].filter((word) => word !== '').join(' '),
  );
  return { ...feed, warnings, summary };
}

/** A ZIP archive of files by name. */
export function archiveOf(files: Readonly<Record<string, Buffer | string>>): Buffer {
  const zip = new AdmZip();
  for (const [name, content] of Object.entries(files)) zip.addFile(name, Buffer.from(content as string));
  return zip.toBuffer();
}
