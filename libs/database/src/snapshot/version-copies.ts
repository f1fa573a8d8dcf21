import { SEARCH_FORM } from '@passerelle/domain';
import type { Copy } from '../copy/copy-in';
import { CopyRows } from '../copy/copy-rows';
import type { PhotoRow } from '../photo/photo-rows';

export interface NewVersion {
  affId: string;
  affNum: string | null;
  scope: string;
  recordHash: string;
  contentHash: string;
  revision: string | null;
  fill: number;
  /** The bit mask of duties that the listing lacks; absent when it lacks none. */
  duties?: number;
  /** 16 hex digits of SHA-256 over the normalized text. */
  empreinte: string;
  /** 16 hex digits of SHA-256 over the fingerprints of the photos; null without photos. */
  photosEmpreinte: string | null;
  photoFiles?: readonly PhotoRow[];
  /** True when the current snapshot lacks the listing: the change is then stored with the version. */
  isAdded?: boolean;
  /** JSON texts, as UTF-8. */
  normalized: Buffer;
  raw: Buffer;
  /** The listing's searchable data, in the current form; if absent, a search derives it from the normalized text. */
  search?: { fields: Buffer; words: Buffer };
}

/** Builds the rows of the tables, each table after the tables that it refers to. */
export function versionCopies(
  versions: readonly NewVersion[],
  {
    gatewayId,
    runId,
    snapshotId,
    ids,
  }: { gatewayId: number; runId: number; snapshotId: number; ids: readonly number[] },
): Copy[] {
  const own = new CopyRows();
  const normalized = new CopyRows(sizeOf(versions.map((version) => version.normalized)));
  const raw = new CopyRows(sizeOf(versions.map((version) => version.raw)));
  const search = new CopyRows(sizeOf(versions.map((version) => version.search?.words ?? NOTHING)));
  const changes = new CopyRows();
  versions.forEach((version, index) => {
    const id = ids[index]!;
    own.begin(13).bigint(id).integer(gatewayId).bigint(snapshotId).text(version.affId).text(version.affNum);
    own.text(version.scope).text(version.recordHash).text(version.contentHash).text(version.revision);
    own
      .integer(version.fill)
      .integer(version.duties ?? 0)
      .text(version.empreinte)
      .text(version.photosEmpreinte);
    normalized.begin(3).bigint(id).integer(gatewayId).bytes(version.normalized);
    raw.begin(3).bigint(id).integer(gatewayId).bytes(version.raw);
    if (version.search !== undefined) {
      search.begin(5).bigint(id).integer(gatewayId).integer(SEARCH_FORM);
      search.bytes(version.search.fields).bytes(version.search.words);
    }
    if (version.isAdded !== true) return;
    changes.begin(8).bigint(snapshotId).integer(gatewayId).bigint(runId).text('added').text(version.affId).bigint(id);
    changes.text(version.affNum).text(version.empreinte);
  });
  return [
    {
      table: `listing_version (id, gateway_id, snapshot_id, aff_id, aff_num, scope, record_hash, content_hash, revision,
        fill, duties, empreinte, photos_empreinte)`,
      rows: own.end(),
    },
    { table: 'listing_normalized (version_id, gateway_id, body)', rows: normalized.end() },
    { table: 'listing_raw (version_id, gateway_id, body)', rows: raw.end() },
    { table: 'listing_search (version_id, gateway_id, form, fields, words)', rows: search.end() },
    {
      table: 'listing_change (snapshot_id, gateway_id, run_id, kind, aff_id, version_id, aff_num, empreinte)',
      rows: changes.end(),
    },
  ];
}

const NOTHING = Buffer.alloc(0);
const BYTES_BESIDE_A_TEXT = 26;
const BYTES_AROUND_ROWS = 32;

function sizeOf(texts: readonly Buffer[]): number {
  return texts.reduce((sum, { length }) => sum + length + BYTES_BESIDE_A_TEXT, BYTES_AROUND_ROWS);
}
