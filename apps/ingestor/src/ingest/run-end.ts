import type { RunEnding } from '@passerelle/database';
import type { RunFigures } from '@passerelle/domain';

/** A run that this process has brought to its end, for the metrics. */
export interface RunEnd {
  connector: string;
  state: RunEnding['state'];
  /** One word; null when there is nothing to explain. */
  reason: string | null;
  /** The run has only shown how it would have ended. */
  dryRun: boolean;
  ms: number;
  /** How long it could have started before a worker took it up. */
  waitedMs: number;
  figures: RunFigures;
}

/** Is told of each run that is over. */
export abstract class RunEnds {
  abstract countRun(end: RunEnd): void;
}
