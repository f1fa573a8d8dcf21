import { type RunDifference, WARNING_CODES, type Warning } from '@passerelle/domain';
import type { ShownRun } from '../run-view';
import type { Line } from './block';
import type { Look } from './look';
import { renderRun } from './runs';
import { type Column, renderTable } from './table';
import { localAndRelative } from './times';

/** A run as a block, with its warnings as a table below. */
export function renderShownRun(look: Look, run: ShownRun): string {
  const block = renderRun(look, run, [
    { label: 'asked for', value: localAndRelative(run.requested_at, look.now) },
    { label: 'attempts', value: run.attempts > 1 ? run.attempts : null },
    { label: 'cancel', value: run.cancel_requested && run.state === 'running' ? 'asked for' : null, tone: 'warn' },
    ...(run.verdict ?? []).map(({ code, message }) => ({
      label: 'verdict',
      value: `${code}: ${message}`,
      tone: 'warn' as const,
    })),
    { label: 'decided', value: decisionOf(run, look.now) },
    ...differenceLines(run),
    {
      label: 'rejections',
      value: Object.entries(run.rejections_by_reason)
        .map(([code, count]) => `${code} ${count}`)
        .join(', '),
    },
  ]);
  return run.warning_list.length === 0 ? block : `${block}\n\n${renderWarnings(look, run.warning_list)}`;
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

function renderWarnings(look: Look, warnings: readonly Warning[]): string {
  const columns: Column<Warning>[] = [
    { title: 'WARNING', value: ({ code }) => code, tone: () => 'warn' },
    { title: 'FIELD', value: ({ field }) => field },
    { title: 'VALUE', value: ({ value }) => value },
    { title: 'COUNT', value: ({ count }) => count, align: 'right' },
    { title: 'EXAMPLES', value: ({ examples }) => examples.join(', ') },
    { title: 'MEANING', value: ({ code }) => WARNING_CODES[code] },
  ];
  return renderTable(look, columns, warnings, '');
}
