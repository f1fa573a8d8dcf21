import { isRunOver, type RunState, type RunView } from '@passerelle/domain';
import { bytes, duration, localAndRelative, relative } from './figures';
import { type Column, type Line, renderBlock, renderTable } from './table';
import type { RenderOptions, Tone } from './render-options';

const STATE_TONES: Readonly<Record<RunState, Tone>> = {
  queued: 'faint',
  running: 'strong',
  published: 'good',
  unchanged: 'good',
  held: 'warn',
  failed: 'bad',
  cancelled: 'faint',
  discarded: 'faint',
};

export function renderRuns(options: RenderOptions, runs: readonly RunView[]): string {
  const columns: Column<RunView>[] = [
    { title: 'RUN', value: ({ id }) => id, align: 'right' },
    { title: 'GATEWAY', value: ({ crm, client }) => `${crm}/${client}` },
    { title: 'TRIGGER', value: triggerText },
    { title: 'STATE', value: stateText, tone: ({ state }) => STATE_TONES[state] },
    { title: 'STARTED', value: ({ started_at }) => relative(started_at, options.now) },
    { title: 'TOOK', value: ({ started_at, ended_at }) => duration(started_at, ended_at, options.now), align: 'right' },
    { title: 'RECORDS', value: ({ records }) => records, align: 'right' },
    { title: '+', value: ({ added }) => added, align: 'right' },
    { title: '~', value: ({ changed }) => changed, align: 'right' },
    { title: '-', value: ({ removed }) => removed, align: 'right' },
    {
      title: 'REJECTED',
      value: ({ rejected }) => rejected,
      align: 'right',
      tone: ({ rejected }) => (rejected > 0 ? 'warn' : 'plain'),
    },
    { title: 'REASON', value: ({ reason }) => reason ?? '' },
  ];
  return renderTable(options, columns, runs, 'no runs');
}

/** One run as a block. */
export function renderRun(options: RenderOptions, run: RunView, more: readonly Line[] = []): string {
  return renderBlock(options, `run ${run.id}  ${run.crm}/${run.client}`, [...runLines(options, run), ...more]);
}

function runLines(options: RenderOptions, run: RunView): Line[] {
  const lines: Line[] = [
    { label: 'state', value: stateText(run), tone: STATE_TONES[run.state] },
    { label: 'reason', value: run.reason },
    { label: 'trigger', value: triggerText(run) },
    { label: 'started', value: localAndRelative(run.started_at, options.now) },
    { label: 'took', value: duration(run.started_at, run.ended_at, options.now) },
    ...(run.folded === undefined ? [] : [{ label: 'includes', value: foldedText(options, run.folded) }]),
  ];
  if (!isRunOver(run.state) && run.records === 0) return lines;
  return [
    ...lines,
    { label: 'fetched', value: bytes(run.fetched_bytes) },
    { label: 'records', value: run.records },
    {
      label: 'listings',
      value: `${run.added} added, ${run.changed} changed, ${run.removed} removed, ${run.unchanged} unchanged`,
    },
    { label: 'rejected', value: run.rejected, tone: run.rejected > 0 ? 'warn' : 'plain' },
    { label: 'kept', value: keptText(run), tone: 'warn' },
    { label: 'warnings', value: run.warnings, tone: run.warnings > 0 ? 'warn' : 'plain' },
    { label: 'snapshot', value: run.snapshot },
  ];
}

function keptText({ kept }: RunView): string | null {
  return kept === undefined ? null : `${kept} in the last published version: the record is unreadable`;
}

function foldedText({ now }: RenderOptions, { runs, first_started_at }: NonNullable<RunView['folded']>): string {
  return `this run is the last of ${runs} unchanged runs of that day; the first started ${localAndRelative(first_started_at, now)}`;
}

/** A dry run neither publishes nor holds anything. */
const DRY_STATES: Partial<Record<RunState, string>> = {
  published: 'would publish',
  unchanged: 'would confirm',
  held: 'would be held',
};

function stateText({ state, dry_run, folded }: RunView): string {
  const text = (dry_run && DRY_STATES[state]) || state;
  return folded === undefined ? text : `${text} ×${folded.runs}`;
}

function triggerText({ trigger, dry_run, forced }: RunView): string {
  return [trigger, dry_run && 'dry run', forced && 'forced'].filter(Boolean).join(', ');
}
