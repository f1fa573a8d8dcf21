import { FirstSchema1763683200000 } from './0001-first-schema';
import { HeldRuns1763690400000 } from './0002-held-runs';
import { RunDifference1763694000000 } from './0003-run-difference';
import { RunsStartAtOnce1763697600000 } from './0004-runs-start-at-once';

/** Every migration, in order. */
export const MIGRATIONS = [
  FirstSchema1763683200000,
  HeldRuns1763690400000,
  RunDifference1763694000000,
  RunsStartAtOnce1763697600000,
];
