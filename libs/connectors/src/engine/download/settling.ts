import { RetryLater } from '@passerelle/domain';

/** So long a file must have kept its size and time before it is read: CRMs write in steps of some seconds. */
export const SETTLED_AFTER_MS = 5000;
const WRITING_TAKES_MS = 10_000;

/** A file that grows is left alone: half of it must never be published. */
export function stillBeingWritten(shown: string): RetryLater {
  return new RetryLater(`${shown} is still being written`, WRITING_TAKES_MS);
}

/** What was read of a file that changed meanwhile is what nobody wrote. */
export function changedWhileRead(shown: string): RetryLater {
  return new RetryLater(`${shown} changed while it was read`, WRITING_TAKES_MS);
}
