import type { IdScheme, KnownPublication, Listing, PlacementRule } from '@passerelle/domain';
import type { ExportContext, ExportItem, Shortfall, Target } from '../kit/contracts';
import { hashOf } from './hashes';
import { actionFor, isLive } from './publication-states';
import { AdvertIds, type Candidate, chosenOf, embargoed, type Exclusion, excludedByRule, priceOf } from './selection';

/** A listing of the snapshot, without its text. */
export interface ListedVersion {
  versionId: number;
  affId: string;
  affNum: string | null;
  /** First publication of this version, in ms since 1970; null when it is no longer known. */
  changedAtMs: number | null;
}

/** Where a list is read from. */
export interface ListingSource {
  /** The versions of one chunk, in the snapshot's order; empty after the last chunk. */
  versions(gatewayId: number, snapshotId: number, chunk: number): Promise<ListedVersion[]>;
  /** JSON texts of listings, by version. */
  texts(gatewayId: number, versionIds: readonly number[]): Promise<Map<number, string>>;
  /** When listings were first listed, for those that were not listed before the last `hours`. */
  firstListed(gatewayId: number, hours: number): Promise<Map<string, number>>;
}

/** The terms of a placement by which a list is read. */
export interface ScannedPlacement {
  gatewayId: number;
  rule: PlacementRule;
  embargoHours: number;
  idScheme: IdScheme;
  advertIds: Readonly<Record<string, string>>;
  isEnding: boolean;
  isContractOver: boolean;
  /** The terms of the last export that was sent completely. */
  configHash: string | null;
  snapshot: { id: number; total: number } | null;
}

export interface ScanJob {
  runs: ListingSource;
  placement: ScannedPlacement;
  target: Target;
  context: ExportContext;
  configHash: string;
  known: ReadonlyMap<string, KnownPublication>;
  signal: AbortSignal;
  /** Gets the error of a listing that the target cannot write. */
  onUnwritable: (error: unknown, affId: string) => void;
}

export interface ReadyAdvert {
  affId: string;
  advertId: string;
  hash: string;
  versionId: number;
  /** Null when the portal has this advert already, or when it is sent later. */
  text: string | null;
}

/** The listings of a snapshot as a portal would get them. */
export interface ScannedList {
  ready: Map<string, ReadyAdvert>;
  /** Listings that are not sent, with the version that was judged. */
  out: Map<string, Exclusion & { versionId: number; advertId: string }>;
  /** When the next embargo ends, in ms since 1970; null for never. */
  embargoEndsAtMs: number | null;
}

const MOST_SHORTFALLS = 5;

export interface ScanTerms {
  /** Whether every advert is made; otherwise only those that may differ from what the portal has. */
  makesAll: boolean;
  /** The most texts that are kept in memory. */
  mostTexts: number;
  onAdvert?(advert: string, item: ExportItem): Promise<void>;
}

/** Reads the snapshot page by page and decides about each listing. @throws Error when the snapshot was pruned meanwhile */
export async function scanList(job: ScanJob, terms: ScanTerms): Promise<ScannedList> {
  const scan: ScannedList = { ready: new Map(), out: new Map(), embargoEndsAtMs: null };
  const { placement, known } = job;
  if (placement.snapshot === null) return scan;
  const ids = new AdvertIds(
    placement.idScheme,
    placement.advertIds,
    new Map([...known.values()].map(({ affId, advertId }) => [affId, advertId])),
  );
  const firstListed =
    placement.embargoHours === 0
      ? new Map<string, number>()
      : await job.runs.firstListed(placement.gatewayId, placement.embargoHours);
  const decide = new Decisions(job, firstListed, ids, scan);
  let chosen: ReadonlySet<string> | null = null;
  const { most } = placement.rule;
  if (most !== undefined) {
    const candidates: Candidate[] = [];
    await eachListing(job, true, (version, listing) => {
      const { affId, changedAtMs } = version;
      if (listing !== null && decide.exclusion(version, listing) === null)
        candidates.push({ affId, price: priceOf(listing), changedAtMs: changedAtMs ?? 0 });
      return Promise.resolve();
    });
    chosen = chosenOf(placement.rule, candidates);
  }
  let texts = 0;
  await eachListing(job, terms.makesAll || most !== undefined, async (version, listing) => {
    const { affId, affNum, versionId } = version;
    const advertId = ids.of(affId, affNum);
    const row = known.get(affId);
    const unchanged = listing === null ? (row ?? null) : null;
    if (unchanged !== null) {
      if (isLive(unchanged) || unchanged.state === 'refused')
        scan.ready.set(affId, { affId, advertId, hash: unchanged.hash ?? '', versionId, text: null });
      else scan.out.set(affId, { ...exclusionOf(unchanged), versionId, advertId });
      return;
    }
    if (listing === null) return;
    const exclusion =
      decide.exclusion(version, listing) ??
      (chosen === null || chosen.has(affId)
        ? null
        : { code: 'limit' as const, sentence: `the placement takes ${most ?? 0} listings, and others go first` });
    if (exclusion !== null) {
      scan.out.set(affId, { ...exclusion, versionId, advertId });
      return;
    }
    const item = decide.itemOf(version, listing);
    const text = advertOf(job, item);
    if (text === null) {
      scan.out.set(affId, { ...UNWRITABLE, versionId, advertId });
      return;
    }
    const ready: ReadyAdvert = { affId, advertId, hash: hashOf(job.configHash, advertId, text), versionId, text: null };
    if (texts < terms.mostTexts && actionFor(row, ready.hash) !== null) {
      texts += 1;
      ready.text = text;
    }
    scan.ready.set(affId, ready);
    await terms.onAdvert?.(text, item);
  });
  return scan;
}

const UNWRITABLE: Exclusion = {
  code: 'not-ready',
  sentence: 'its advert cannot be written: the log of the ingestor says why',
};

/** One listing that a target cannot write must not keep the others from the portal. */
function advertOf({ target, context, onUnwritable }: ScanJob, item: ExportItem): string | null {
  try {
    return target.advert(item, context);
  } catch (error) {
    onUnwritable(error, item.listing.affId);
    return null;
  }
}

class Decisions {
  private readonly nowMs = Date.now();

  constructor(
    private readonly job: ScanJob,
    private readonly firstListed: ReadonlyMap<string, number>,
    private readonly ids: AdvertIds,
    private readonly scan: ScannedList,
  ) {}

  itemOf({ affId, affNum, changedAtMs }: ListedVersion, listing: Listing): ExportItem {
    const { target, context } = this.job;
    const photos = listing.photos.slice(0, target.maxPhotos);
    return {
      listing: { ...listing, photos },
      advertId: this.ids.of(affId, affNum),
      changedAtMs: changedAtMs ?? context.publishedAtMs,
    };
  }

  exclusion(version: ListedVersion, listing: Listing): Exclusion | null {
    const { placement, target, context, known } = this.job;
    const row = known.get(version.affId);
    if (placement.isEnding) return { code: 'placement', sentence: 'the placement is removed' };
    if (placement.isContractOver) return { code: 'contract', sentence: 'the contract of the gateway has ended' };
    if (row?.isWithdrawn === true) return { code: 'withdrawn', sentence: 'an operator took it offline' };
    const byRule = excludedByRule(placement.rule, listing);
    if (byRule !== null) return byRule;
    const embargo = embargoed(this.firstListed.get(version.affId), placement.embargoHours, this.nowMs);
    if (embargo !== null && (row === undefined || !isLive(row))) {
      const { embargoEndsAtMs } = this.scan;
      this.scan.embargoEndsAtMs = Math.min(embargoEndsAtMs ?? Infinity, embargo.endsAtMs);
      return embargo;
    }
    const shortfalls = target.shortfalls(this.itemOf(version, listing), context);
    return shortfalls.length === 0 ? null : { code: 'not-ready', sentence: sentenceOf(shortfalls) };
  }
}

function sentenceOf(shortfalls: readonly Shortfall[]): string {
  const named = shortfalls.slice(0, MOST_SHORTFALLS).map(({ field, need }) => `${field} ${need}`);
  const more = shortfalls.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Why a listing whose version and terms did not change is not sent. */
function exclusionOf({ reasonCode, reason }: KnownPublication): Exclusion {
  return { code: reasonCode ?? 'rule', sentence: reason ?? '' };
}

/** @param visit gets null instead of the listing when version and terms are those of the last export */
async function eachListing(
  job: ScanJob,
  readsAll: boolean,
  visit: (version: ListedVersion, listing: Listing | null) => Promise<void>,
): Promise<void> {
  const { placement, runs } = job;
  const { snapshot, gatewayId } = placement;
  let read = 0;
  for (let chunk = 0; snapshot !== null; chunk += 1) {
    job.signal.throwIfAborted();
    const versions = await runs.versions(gatewayId, snapshot.id, chunk);
    if (versions.length === 0) break;
    const wanted = versions.filter((version) => readsAll || !isUnchanged(job, version));
    const texts = await runs.texts(
      gatewayId,
      wanted.map(({ versionId }) => versionId),
    );
    for (const version of versions) {
      const text = texts.get(version.versionId);
      if (text === undefined && wanted.includes(version)) throw new Error('a listing of the snapshot is gone');
      await visit(version, text === undefined ? null : (JSON.parse(text) as Listing));
    }
    read += versions.length;
  }
  // An incomplete list would take adverts offline.
  if (snapshot !== null && read !== snapshot.total) throw new Error('the snapshot is not complete: it was pruned');
}

function isUnchanged(job: ScanJob, { affId, versionId }: ListedVersion): boolean {
  const row = job.known.get(affId);
  if (
    row === undefined ||
    row.versionId !== versionId ||
    row.isWithdrawn ||
    job.placement.isEnding ||
    job.placement.isContractOver
  )
    return false;
  if (job.placement.configHash !== job.configHash) return false;
  if (isLive(row)) return row.hash !== null;
  if (row.state === 'refused') return row.hash !== null;
  return (
    (row.state === 'waiting' || row.state === 'removed') &&
    (row.reasonCode === 'rule' || row.reasonCode === 'not-ready')
  );
}
