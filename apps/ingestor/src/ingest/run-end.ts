import type { RunEnding } from '@passerelle/database';
import type { RunFigures } from '@passerelle/domain';

export interface RunEnd {
  connector: string;
  state: RunEnding['state'];
  /** One word; null when there is nothing to explain. */
  reason: string | null;
  dryRun: boolean;
  ms: number;
  /** How long the run was ready to start before a worker claimed it. */
  waitedMs: number;
  figures: RunFigures;
}

export abstract class RunEnds {
  abstract countRun(end: RunEnd): void;
}
