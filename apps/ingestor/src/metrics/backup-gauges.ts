import type { BackupFacts } from '@passerelle/database';
import type { MetricHead } from './database-gauges';

/** A gauge of the whole database, the same in every process; null if there is no value, and then the line is omitted. */
interface BackupGauge extends MetricHead {
  value: (facts: BackupFacts) => number | null;
}

export const BACKUP_GAUGES: readonly BackupGauge[] = [
  {
    name: 'passerelle_backup_age_seconds',
    help: 'Time since `ops backup` recorded the last backup that can be restored; no value when there was none',
    value: ({ ageSeconds }) => ageSeconds,
  },
  {
    name: 'passerelle_backup_failed',
    help: 'Whether the last attempt of `ops backup` failed',
    value: ({ failure }) => (failure === null ? 0 : 1),
  },
  {
    name: 'passerelle_backup_never',
    help: 'Whether `ops backup` has never recorded a backup that can be restored',
    value: ({ at }) => (at === null ? 1 : 0),
  },
];
