import { RunCancelled, type RunEnding } from '@passerelle/database';
import { FeedError, type RunFigures } from '@passerelle/domain';
import { MediaStoreError } from '@passerelle/media';
import { GatewayInactive } from './ingest';
import { RunStopped } from './run-watch';

/** How a run ends that has thrown, or that was stopped by an operator or by its deadline. */
export function failedEnding(cause: unknown, figures: RunFigures, runTimeoutMs: number): RunEnding {
  if (cause instanceof RunCancelled || (cause instanceof RunStopped && cause.why === 'cancelled')) {
    return { state: 'cancelled', reasonCode: 'cancelled', reason: 'cancelled by an operator', figures };
  }
  if (cause instanceof RunStopped) {
    const reason = `the run took longer than ${Math.round(runTimeoutMs / 60_000)} minutes`;
    return { state: 'failed', reasonCode: 'deadline', reason, figures };
  }
  if (cause instanceof GatewayInactive) {
    return { state: 'cancelled', reasonCode: 'inactive', reason: cause.message, figures };
  }
  if (cause instanceof FeedError) {
    return { state: 'failed', reasonCode: cause.todo, reason: cause.message, figures };
  }
  if (cause instanceof MediaStoreError) {
    return { state: 'failed', reasonCode: 'media', reason: `photos cannot be stored: ${cause.message}`, figures };
  }
  // The message may hold anything: it goes to the log only.
  return { state: 'failed', reasonCode: 'internal', reason: 'an internal error: see the log of the ingestor', figures };
}
