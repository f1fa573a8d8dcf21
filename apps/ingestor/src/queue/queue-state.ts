import { inTime } from '@passerelle/limits';

/** `paused`: workers take no job. `read-only`: the store refuses writes, so no run can be added. */
export type QueueState = 'ok' | 'paused' | 'read-only' | 'unavailable';

/** Needed because the queue's client holds commands during an outage. */
const ANSWER_TIMEOUT_MS = 10_000;

/** @throws when the queue's store does not answer in time. */
export function answerOfQueue<T>(question: Promise<T>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<T> {
  return inTime(question, timeoutMs, unanswered);
}

export function unanswered(): Error {
  return new Error('the queue does not answer');
}
