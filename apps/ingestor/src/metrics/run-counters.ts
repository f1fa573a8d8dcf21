import { FAILED_REASONS, HELD_REASONS } from '@passerelle/domain';
import type { RunEnd } from '../ingest/run-end';
import type { MetricHead } from './database-gauges';

/** A counter of this process: sum it over processes. */
export interface RunCounter extends MetricHead {
  /** Label values that exist from the start: Prometheus sees a first event as an increase only over a zero. */
  known: readonly Readonly<Record<string, string>>[];
  counts: (end: RunEnd) => { labels: Readonly<Record<string, string>>; value: number }[];
}

/** Prometheus treats an empty label value as a missing label. */
const NO_REASON = 'none';

const CHANGES = ['added', 'changed', 'removed'] as const;

export const RUN_COUNTERS: readonly RunCounter[] = [
  {
    name: 'passerelle_runs_total',
    help: 'Runs that this process ended, by state and reason; dry runs do not count',
    labels: ['state', 'reason'],
    known: [
      { state: 'published', reason: NO_REASON },
      { state: 'unchanged', reason: NO_REASON },
      { state: 'cancelled', reason: 'cancelled' },
      { state: 'cancelled', reason: 'inactive' },
      { state: 'cancelled', reason: 'remap' },
      ...Object.keys(HELD_REASONS).map((reason) => ({ state: 'held', reason })),
      ...Object.keys(FAILED_REASONS).map((reason) => ({ state: 'failed', reason })),
    ],
    counts: ({ state, reason }) => [{ labels: { state, reason: reason ?? NO_REASON }, value: 1 }],
  },
  plain('passerelle_records_total', 'Records read from feeds', 'records'),
  plain('passerelle_rejections_total', 'Records that could not become a listing', 'rejected'),
  plain('passerelle_warnings_total', 'Warnings about records, such as unknown words', 'warnings'),
  plain('passerelle_fetched_bytes_total', 'Bytes received from sources', 'fetchedBytes'),
  {
    name: 'passerelle_listing_changes_total',
    help: 'Listings that published runs added, changed and removed',
    labels: ['kind'],
    known: CHANGES.map((kind) => ({ kind })),
    counts: ({ state, figures }) =>
      state === 'published' ? CHANGES.map((kind) => ({ labels: { kind }, value: figures[kind] })) : [],
  },
];

function plain(name: string, help: string, figure: keyof RunEnd['figures']): RunCounter {
  return { name, help, known: [{}], counts: ({ figures }) => [{ labels: {}, value: figures[figure] }] };
}
