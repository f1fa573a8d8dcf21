import type { RunEnding } from '@passerelle/database';
import type { RunFigures } from '@passerelle/domain';

/** A run that this process has ended, for the metrics. */
export interface RunEnd {
  connector: string;
  state: RunEnding['state'];
  /** One word; null when there is nothing to explain. */
  reason: string | null;
  /** Whether the run has only shown how it would have ended. */
  dryRun: boolean;
  ms: number;
  /** How long the run was ready to start before a worker claimed it. */
  waitedMs: number;
  figures: RunFigures;
}

/** Receives each run that has ended. */
export abstract class RunEnds {
  abstract countRun(end: RunEnd): void;
}
