import type { RunEnding } from '@passerelle/database';
import type { RunFigures } from '@passerelle/domain';

export interface RunEnd {
  connector: string;
  state: RunEnding['state'];
  /** One word; null when there is nothing to explain. */
  reason: string | null;
  dryRun: boolean;
  ms: number;
  /** The time from when the run could start until a worker claimed it. */
  waitedMs: number;
  figures: RunFigures;
}

export abstract class RunEnds {
  abstract countRun(end: RunEnd): void;
}
