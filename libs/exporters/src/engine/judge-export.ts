import { type ExportHold, type FillCounts, type GateThresholds, judgeRun, WATCHED_FIELDS } from '@passerelle/domain';

/** The changes that an export would make at the portal. */
export interface ExportChange {
  /** Adverts that the portal may show, without those whose removal an operator approved. */
  live: number;
  ready: number;
  /** Ready listings that the portal does not have. */
  added: number;
  /** Live adverts that would disappear. */
  removed: number;
}

/** Applies the publish gate's rules to a portal. @returns null when the export may be sent */
export function judgeExport(
  { live, ready, added, removed }: ExportChange,
  thresholds: GateThresholds,
): ExportHold | null {
  const fill = Object.fromEntries(WATCHED_FIELDS.map((field) => [field, 0])) as FillCounts;
  const verdict = judgeRun(
    {
      ...{ current: { total: live, fill }, candidate: { total: ready, fill }, records: ready, rejected: 0 },
      ...{ added, removed, incomplete: null, isForeign: false },
    },
    thresholds,
  );
  if (verdict.publish) return null;
  const [first] = verdict.reasons;
  const message =
    ready === 0
      ? `no listing is ready for this portal; all ${live} adverts there would disappear`
      : `${removed} of ${live} adverts would disappear at the portal, and ${added} would be new`;
  return { code: first?.code ?? 'vanished', message, total: live, removed };
}
