import { pausedReason } from '@passerelle/domain';
import type { GatewayView, MemoryMark, ShownGateway } from '@passerelle/operations';
import { bytes, counted, localAndRelative, relative, span } from './figures';
import { type Column, type Line, renderBlock, renderTable } from './table';
import type { RenderOptions, Tone } from './render-options';

export function renderGateways(options: RenderOptions, gateways: readonly GatewayView[]): string {
  const columns: Column<GatewayView>[] = [
    { title: 'CRM', value: ({ crm }) => crm },
    { title: 'CLIENT', value: ({ client }) => client },
    { title: 'STATE', value: stateOf, tone: toneOf },
    { title: 'LISTINGS', value: ({ listings }) => listings, align: 'right' },
    {
      title: 'CONFIRMED',
      value: ({ confirmed_at, overdue }) => withNote(relative(confirmed_at, options.now), overdue && 'overdue'),
      tone: ({ overdue }) => (overdue ? 'bad' : 'plain'),
    },
    { title: 'EVERY', value: ({ every_seconds }) => (every_seconds === null ? null : span(every_seconds)) },
    { title: 'NEXT RUN', value: (gateway) => nextRun(gateway, options.now) },
    { title: 'HELD', value: held, tone: () => 'warn' },
    { title: 'SOURCE', value: ({ source_url }) => source_url },
    { title: 'FAILING', value: (gateway) => failing(gateway, options.now), tone: () => 'bad' },
  ];
  return renderTable(options, columns, gateways, 'no gateways');
}

/** One gateway as a block. */
export function renderGateway(options: RenderOptions, gateway: ShownGateway): string {
  const { last_run: run } = gateway;
  return renderBlock(options, `${gateway.crm}/${gateway.client}`, [
    { label: 'state', value: stateOf(gateway), tone: toneOf(gateway) },
    { label: 'paused', value: pausedText(gateway), tone: 'warn' },
    { label: 'failing since', value: localAndRelative(gateway.failing_since, options.now), tone: 'bad' },
    { label: 'failing for', value: gateway.failing_reason, tone: 'bad' },
    {
      label: 'held',
      value: gateway.held_run === null ? null : `${held(gateway) ?? ''} (run show ${gateway.held_run})`,
      tone: 'warn',
    },
    { label: 'source', value: gateway.source_url },
    { label: 'credentials', value: gateway.has_credentials ? 'set' : 'none' },
    { label: 'settings', value: pairs(gateway.settings) },
    { label: 'every', value: gateway.every_seconds === null ? 'default' : span(gateway.every_seconds) },
    { label: 'contract end', value: gateway.contract_end },
    { label: 'listings', value: gateway.listings ?? 'nothing published yet' },
    { label: 'snapshot', value: gateway.snapshot },
    { label: 'published', value: localAndRelative(gateway.published_at, options.now) },
    {
      label: 'confirmed',
      value: withNote(localAndRelative(gateway.confirmed_at, options.now), gateway.overdue && 'overdue'),
      tone: gateway.overdue ? 'bad' : 'plain',
    },
    { label: 'next run', value: nextRun(gateway, options.now) },
    { label: 'missed runs', value: gateway.missed_runs },
    {
      label: 'last run',
      value: run === null ? 'none' : `${run.id}, ${run.state}${run.reason === null ? '' : `: ${run.reason}`}`,
    },
    {
      label: 'state events',
      value: pendingFeedback(gateway, options),
      tone: (gateway.feedback?.tries ?? 0) > 0 ? 'bad' : 'plain',
    },
    ...memoryLines(gateway, options),
    ...gateway.keys.map(({ id, prefix, scope, networks, expires_at, last_used_on }) => ({
      label: 'key',
      value: [
        `${id}: ${prefix}…`,
        ...(scope === 'both' ? [] : [`${scope} only`]),
        ...(networks === null ? [] : [`from ${networks.join(', ')}`]),
        last_used_on === null ? 'never used' : `used ${last_used_on}`,
        ...(expires_at === null ? [] : [`ends ${relative(expires_at, options.now) ?? ''}`]),
      ].join(' '),
    })),
  ]);
}

/** The state events that the source has not received yet, and why. */
function pendingFeedback({ feedback }: ShownGateway, { now }: RenderOptions): string | null {
  if (feedback === null) return null;
  const { listings, since, tries, error, next_try_at } = feedback;
  const what = `for ${counted(listings, 'listing')} (${relative(since, now) ?? ''})`;
  if (error === null) return what;
  const again = next_try_at === null ? 'now' : (relative(next_try_at, now) ?? '');
  return `${what}; failed ${counted(tries, 'time')}: ${error}; again ${again}`;
}

const MARKS: Readonly<Record<MemoryMark, string>> = {
  answer: 'the answer of its source',
  file: 'the time and size of its file',
  bytes: 'the bytes of the whole feed',
  records: 'its records',
};

/** The facts about the source that the next run uses. */
function memoryLines({ memory }: ShownGateway, { now }: RenderOptions): Line[] {
  if (memory === null) return [];
  const { unchanged_by, size_bytes, kept_records, kept_since } = memory;
  const kept = `${counted(kept_records, 'record')} (${relative(kept_since, now) ?? ''})`;
  return [
    { label: 'unchanged by', value: unchanged_by === null ? null : MARKS[unchanged_by] },
    { label: 'ETag', value: memory.etag },
    { label: 'last modified', value: localAndRelative(memory.last_modified, now) },
    { label: 'feed size', value: size_bytes === null ? null : bytes(size_bytes) },
    { label: 'known records', value: memory.known_records },
    { label: 'whole list', value: localAndRelative(memory.whole_list_read_at, now) },
    { label: 'changes asked', value: localAndRelative(memory.changes_asked_at, now) },
    { label: 'newest removal', value: localAndRelative(memory.newest_removal_at, now) },
    { label: 'requested again', value: localAndRelative(memory.asked_anew_since, now) },
    { label: 'kept', value: kept_records === 0 ? null : kept },
  ];
}

function pausedText({ paused }: GatewayView): string | null {
  return paused === null ? null : `${pausedReason(paused) ?? ''} (by ${paused.by})`;
}

function stateOf({ active, enabled, failures, paused }: GatewayView): string {
  if (!enabled) return 'disabled';
  if (!active) return 'contract ended';
  if (paused !== null) return paused.until === null ? 'paused' : `paused until ${paused.until.slice(0, 16)}Z`;
  return failures > 0 ? `active, ${counted(failures, 'failure')}` : 'active';
}

function held({ held_run, held_reason }: GatewayView): string | null {
  return held_run === null ? null : `run ${held_run}: ${held_reason ?? ''}`;
}

function withNote(text: string | null, note: string | false): string | null {
  return text === null || note === false ? text : `${text}, ${note}`;
}

function failing({ failing_since, failing_reason }: GatewayView, now: Date): string | null {
  return failing_since === null ? null : `since ${relative(failing_since, now) ?? ''}: ${failing_reason ?? ''}`;
}

function toneOf({ active, failures, paused }: GatewayView): Tone {
  if (!active) return 'faint';
  if (paused !== null) return 'warn';
  return failures > 0 ? 'bad' : 'good';
}

/** A due run starts immediately, unless the gateway is inactive or paused. */
function nextRun({ active, paused, next_run_at }: GatewayView, now: Date): string | null {
  if (!active || paused !== null) return null;
  return new Date(next_run_at) <= now ? 'now' : relative(next_run_at, now);
}

function pairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}
