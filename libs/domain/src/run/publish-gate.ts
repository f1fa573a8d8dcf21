import { type FillCounts, WATCHED_FIELDS } from '../listing/fill';
import type { GateReasonCode } from './run';

/** The limits beyond which the gate holds a run. Shares are fractions of 1. */
export interface GateThresholds {
  /** The gate holds a run when more than this share of the listings would vanish, and more than `maxVanishedCount`. */
  maxVanishedShare: number;
  /** See `maxVanishedShare`. With four listings or more, the removal of over half is held regardless of this limit. */
  maxVanishedCount: number;
  /** Holds a run if more than this share of its listings is new and more than this share of the old ones is gone. */
  maxReplacedShare: number;
  /** The gate holds a run when a watched field's fill rate falls by at least this share. */
  maxFillDrop: number;
}

export const DEFAULT_THRESHOLDS: Readonly<GateThresholds> = {
  maxVanishedShare: 0.2,
  maxVanishedCount: 5,
  maxReplacedShare: 0.5,
  maxFillDrop: 0.2,
};

/** A share of garbled texts that individual mistakes cannot explain. */
const MAX_GARBLED_RISE = 0.05;

export interface GateFacts {
  /** Null before the first publication. */
  current: { total: number; fill: FillCounts } | null;
  /** `kept`: the number of listings that keep their current version because their record is unreadable. */
  candidate: { total: number; fill: FillCounts; kept?: number };
  records: number;
  rejected: number;
  added: number;
  removed: number;
  /**
   * How many of the removed listings the feed still has, but withdraws, in the first run after the connector's mapping
   * or a setting changed; absent in other runs.
   */
  withdrawnByMapping?: number;
  /** Why the feed is incomplete, as a text; null when it is complete. */
  incomplete: string | null;
  /** For a feed that leaves other agencies unchanged: whether all records are of agencies without a current listing. */
  isForeign: boolean;
  /** The listings of a guarded revert whose change this run would undo, of all that it changed; absent without a guard. */
  revert?: { undone: number; of: number };
  /** Elements next to the records that no connector code reads; absent when the format is not checked for them. */
  unknownElements?: UnknownElements;
}

export interface UnknownElements {
  /** The count of each name. */
  counts: Readonly<Record<string, number>>;
  /** The names in the last published run; null when unknown. */
  before: readonly string[] | null;
}

export interface GateReason {
  code: GateReasonCode;
  message: string;
  figures: Record<string, number>;
}

export type GateVerdict = { publish: true } | { publish: false; reasons: GateReason[] };

/** Decides whether a run may replace the current snapshot. A pure function. */
export function judgeRun(facts: GateFacts, thresholds: GateThresholds = DEFAULT_THRESHOLDS): GateVerdict {
  const reasons = [
    judgeCompleteness(facts),
    judgeEmptiness(facts),
    judgeVanished(facts, thresholds),
    judgeReplaced(facts, thresholds),
    judgeOrigin(facts),
    judgeRevert(facts),
    ...judgeFill(facts, thresholds),
    judgeUnknownElements(facts),
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? { publish: true } : { publish: false, reasons };
}

function judgeCompleteness({ incomplete }: GateFacts): GateReason | null {
  if (incomplete === null) return null;
  return { code: 'incomplete', message: `the feed is not complete: ${incomplete}`, figures: {} };
}

function judgeEmptiness({ current, candidate, records, rejected }: GateFacts): GateReason | null {
  if (hasReadable(candidate)) return null;
  const before = current?.total ?? 0;
  if (rejected > 0) {
    return {
      code: 'nothing_usable',
      message: `none of the feed's ${String(records)} records could become a listing`,
      figures: { before, records, rejected },
    };
  }
  if (current === null) {
    return { code: 'empty', message: 'the first feed of this gateway is empty', figures: { before: 0 } };
  }
  if (before === 0) return null;
  return { code: 'empty', message: `the feed is empty; ${count(before, 'listing')} would vanish`, figures: { before } };
}

/** The rule for shares applies only when six or more listings vanish; these two limits apply to smaller losses. */
const SMALL_PORTFOLIO = { minTotal: 4, maxVanishedShare: 0.5 };

function judgeVanished(
  { current, candidate, removed, withdrawnByMapping = 0 }: GateFacts,
  thresholds: GateThresholds,
): GateReason | null {
  if (current === null || !hasReadable(candidate)) return null;
  const { total } = current;
  const isTooMany = (gone: number): boolean => gone / Math.max(total, 1) > maxVanishedShare(total, gone, thresholds);
  if (!isTooMany(removed)) return null;
  const figures = { before: total, after: candidate.total, removed };
  if (withdrawnByMapping > 0 && !isTooMany(removed - withdrawnByMapping)) {
    return {
      code: 'mapping_changed',
      message:
        `${String(withdrawnByMapping)} of ${String(total)} listings are sold, let or withdrawn by the changed mapping: ` +
        `the feed still has them`,
      figures: { ...figures, withdrawn: withdrawnByMapping },
    };
  }
  const share = removed / Math.max(total, 1);
  const maxShare = maxVanishedShare(total, removed, thresholds);
  return {
    code: 'vanished',
    message:
      `${String(removed)} of ${String(total)} listings (${percent(share)}) would vanish; ` +
      `at most ${percent(maxShare)} may`,
    figures,
  };
}

/** The greatest share of `total` listings that a run may remove. It depends on the number that the run would remove. */
function maxVanishedShare(total: number, removed: number, thresholds: GateThresholds): number {
  if (removed > thresholds.maxVanishedCount) return thresholds.maxVanishedShare;
  if (total < SMALL_PORTFOLIO.minTotal) return 1;
  return Math.max(SMALL_PORTFOLIO.maxVanishedShare, thresholds.maxVanishedShare);
}

function judgeOrigin({ current, isForeign, added }: GateFacts): GateReason | null {
  if (!isForeign || current === null) return null;
  return {
    code: 'foreign',
    message: `all ${count(added, 'listing')} of the feed belong to an agency that has no listings here: this is another agency's feed`,
    figures: { before: current.total, added },
  };
}

function judgeRevert({ revert }: GateFacts): GateReason | null {
  if (revert === undefined || revert.undone === 0) return null;
  return {
    code: 'reverted',
    message: `${String(revert.undone)} of the ${String(revert.of)} listings that a revert changed would change back`,
    figures: { ...revert },
  };
}

function judgeReplaced(
  { current, candidate, added, removed }: GateFacts,
  thresholds: GateThresholds,
): GateReason | null {
  if (current === null || !hasReadable(candidate) || current.total === 0) return null;
  const newShare = added / candidate.total;
  const goneShare = removed / current.total;
  if (newShare <= thresholds.maxReplacedShare || goneShare <= thresholds.maxReplacedShare) return null;
  return {
    code: 'replaced',
    message:
      `${percent(newShare)} of the listings are new and ${percent(goneShare)} of the old ones are gone: ` +
      `the identifiers have changed, or this is another agency's feed`,
    figures: { before: current.total, after: candidate.total, added, removed },
  };
}

function judgeFill({ current, candidate }: GateFacts, thresholds: GateThresholds): GateReason[] {
  if (current === null || current.total === 0 || !hasReadable(candidate)) return [];
  const reasons: GateReason[] = [];
  for (const field of WATCHED_FIELDS) {
    const before = current.fill[field] / current.total;
    const after = candidate.fill[field] / candidate.total;
    // In a small portfolio one listing changes the rate by many points, so one lost value is not a fault of the feed.
    const lost = Math.round((before - after) * candidate.total);
    // Use a lower limit, because a wrong encoding breaks only the few texts with non-ASCII characters.
    const maxDrop = field === 'legible' ? Math.min(MAX_GARBLED_RISE, thresholds.maxFillDrop) : thresholds.maxFillDrop;
    if (before - after < maxDrop - 1e-9 || lost < 2) continue;
    reasons.push({
      code: field === 'legible' ? 'garbled' : 'fill_drop',
      message:
        field === 'legible'
          ? `the texts of ${percent(1 - after)} of the listings are garbled, previously of ${percent(1 - before)}: the encoding is wrong`
          : `the field ${field} is filled in ${percent(after)} of the listings, previously in ${percent(before)}`,
      figures: { before: current.fill[field], after: candidate.fill[field], total: candidate.total },
    });
  }
  return reasons;
}

const MAX_UNKNOWN_ELEMENTS = 5;
const MAX_UNKNOWN_SHARE = 0.2;

/** Unread elements may be records, so an operator must decide about new names and about many elements. */
function judgeUnknownElements({ current, unknownElements, records }: GateFacts): GateReason | null {
  if (unknownElements === undefined) return null;
  const { counts, before } = unknownElements;
  const names = Object.keys(counts);
  const unknown = names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const added = current === null || before === null ? [] : names.filter((name) => !before.includes(name));
  const areMany = unknown > MAX_UNKNOWN_ELEMENTS && unknown > MAX_UNKNOWN_SHARE * records;
  if (added.length === 0 && !areMany) return null;
  const list = names.map((name) => `${name} (${String(counts[name])})`).join(', ');
  return {
    code: 'unknown_element',
    message: `beside its ${count(records, 'record')} the feed has unknown elements: ${list}`,
    figures: { records, unknown },
  };
}

/** Whether a feed yields other listings than kept listings; if not, the gate judges the feed as empty. */
function hasReadable({ total, kept = 0 }: GateFacts['candidate']): boolean {
  return total > kept;
}

function percent(share: number): string {
  return `${String(Math.round(share * 1000) / 10)} %`;
}

function count(n: number, noun: string): string {
  return `${String(n)} ${noun}${n === 1 ? '' : 's'}`;
}
