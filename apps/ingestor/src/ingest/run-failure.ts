import { RevertRefused, RunCancelled, type RunEnding } from '@passerelle/database';
import { type FailedReasonCode, FeedError, type RunFigures } from '@passerelle/domain';
import { MediaStoreError } from '@passerelle/media';
import { GatewayInactive, RemapRefused } from './run-preparation';
import { RunStopped } from './run-watch';
import type { RunnerOptions } from './run-settings';

export function runFailure(
  cause: unknown,
  figures: RunFigures,
  { runTimeoutMs, holder }: Pick<RunnerOptions, 'runTimeoutMs' | 'holder'>,
): RunEnding {
  const failed = (reasonCode: FailedReasonCode, reason: string): RunEnding => ({
    ...{ state: 'failed', reasonCode, reason, figures },
  });
  if (cause instanceof RunCancelled || (cause instanceof RunStopped && cause.why === 'cancelled')) {
    return { state: 'cancelled', reasonCode: 'cancelled', reason: 'cancelled by an operator', figures };
  }
  if (cause instanceof RunStopped) {
    return failed('deadline', `the run took longer than ${Math.round(runTimeoutMs / 60_000)} minutes`);
  }
  if (cause instanceof GatewayInactive) {
    return { state: 'cancelled', reasonCode: 'inactive', reason: cause.message, figures };
  }
  if (cause instanceof RemapRefused) return { state: 'cancelled', reasonCode: 'remap', reason: cause.message, figures };
  if (cause instanceof RevertRefused) return failed('revert', cause.message);
  if (cause instanceof FeedError) return failed(cause.todo, cause.message);
  if (cause instanceof MediaStoreError) return failed('media', `photos cannot be stored: ${cause.message}`);
  return failed('internal', internalReason(cause, holder));
}

/** Faults of the machine and its services that a person can fix, by the code of the error: Node's, or PostgreSQL's. */
const KNOWN_FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk of the ingestor is full',
  EDQUOT: 'the disk of the ingestor is full',
  EROFS: 'the disk of the ingestor takes no writes',
  EMFILE: 'the ingestor has no file descriptors left',
  '53100': 'the disk of PostgreSQL is full',
  '53200': 'PostgreSQL is out of memory',
  '53300': 'PostgreSQL takes no more connections',
  '25006': 'PostgreSQL takes no writes: it is a standby, or set to read only',
  '57014': 'a statement of PostgreSQL took too long',
};

/** A message may contain private data, so it is only logged; the stored reason is a sentence of our own. */
function internalReason(cause: unknown, holder: string): string {
  const code = codeOf(cause);
  const fault = code === null ? undefined : KNOWN_FAULTS[code];
  if (fault !== undefined) return `${fault} (${String(code)}); the log of ${holder} has more`;
  if (cause instanceof WorkersLost) return cause.message;
  return `an internal error: the log of ${holder} has it`;
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string' && error.code in KNOWN_FAULTS) return error.code;
  return codeOf(error.cause);
}

/** Every attempt crashed. */
export class WorkersLost extends Error {
  override readonly name = 'WorkersLost';

  constructor(workers: number) {
    super(`${String(workers)} workers stopped in the middle of this run: were they killed for their memory?`);
  }
}
