import { type RunDifference, WARNING_CODES, type Warning } from '@passerelle/domain';
import type { ShownRun } from '@passerelle/operations';
import { type Column, type Line, renderTable } from './table';
import type { RenderOptions } from './render-options';
import { renderRun } from './runs';
import { localAndRelative } from './figures';

/** A run as a block, with its warnings as a table below. */
export function renderShownRun(options: RenderOptions, run: ShownRun): string {
  const block = renderRun(options, run, [
    { label: 'requested', value: localAndRelative(run.requested_at, options.now) },
    { label: 'by', value: run.asked_by },
    { label: 'request', value: run.request_id },
    { label: 'place', value: run.place === undefined ? null : `${run.place} among the gateways that wait` },
    { label: 'ingestor', value: run.worker },
    { label: 'attempts', value: run.attempts > 1 ? run.attempts : null },
    { label: 'cancel', value: run.cancel_requested && run.state === 'running' ? 'requested' : null, tone: 'warn' },
    ...(run.verdict ?? []).map(({ code, message }) => ({
      label: 'verdict',
      value: `${code}: ${message}`,
      tone: 'warn' as const,
    })),
    { label: 'decided', value: decisionOf(run, options.now) },
    ...differenceLines(run),
    ...heldLines(run),
    {
      label: 'rejections',
      value: Object.entries(run.rejections_by_reason)
        .map(([code, count]) => `${code} ${count}`)
        .join(', '),
    },
    { label: 'kept listings', value: keptNames(run) },
    {
      label: 'duties missing',
      value: Object.entries(run.duties_missing ?? {})
        .map(([code, count]) => `${code} ${count}`)
        .join(', '),
    },
  ]);
  return run.warning_list.length === 0 ? block : `${block}\n\n${renderWarnings(options, run.warning_list)}`;
}

function keptNames({ kept = 0, kept_listings = [] }: ShownRun): string {
  const more = kept - kept_listings.length;
  return kept_listings.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function decisionOf(run: ShownRun, now: Date): string | null {
  if (run.decided_at === null) return run.decided_by === null ? null : `forced by ${run.decided_by}`;
  const who = run.decided_by === null ? '' : `by ${run.decided_by}, `;
  return `${who}${localAndRelative(run.decided_at, now) ?? ''}: ${run.decision_reason ?? ''}`;
}

function differenceLines({ difference, added, changed, removed }: ShownRun): Line[] {
  if (difference === undefined) return [];
  const line = (kind: keyof RunDifference, count: number): Line => {
    const more = count - difference[kind].length;
    const ids = difference[kind].join(', ') + (more > 0 ? ` and ${more} more` : '');
    return { label: `would be ${kind}`, value: ids };
  };
  return [line('added', added), line('changed', changed), line('removed', removed)];
}

function heldLines({ id, would, ...counts }: ShownRun): Line[] {
  if (would === undefined) return [];
  return (['removed', 'added', 'changed'] as const).map((kind) => {
    const more = counts[kind] - would[kind].length;
    const names = would[kind].map(({ aff_id, title }) => (title === null ? aff_id : `${aff_id} (${title})`)).join(', ');
    return { label: `would be ${kind}`, value: names + (more > 0 ? ` and ${more} more: run show ${id} --all` : '') };
  });
}

function renderWarnings(options: RenderOptions, warnings: readonly Warning[]): string {
  const columns: Column<Warning>[] = [
    { title: 'WARNING', value: ({ code }) => code, tone: () => 'warn' },
    { title: 'FIELD', value: ({ field }) => field },
    { title: 'VALUE', value: ({ value }) => value },
    { title: 'COUNT', value: ({ count }) => count, align: 'right' },
    { title: 'EXAMPLES', value: ({ examples }) => examples.join(', ') },
    { title: 'MEANING', value: ({ code }) => WARNING_CODES[code] },
  ];
  return renderTable(options, columns, warnings, '');
}
