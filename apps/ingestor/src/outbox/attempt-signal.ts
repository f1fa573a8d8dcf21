/** The signal of one attempt, and the function that releases it. */
export interface AttemptSignal {
  signal: AbortSignal;
  /** Must be called when the attempt is over. */
  end: () => void;
}

/**
 * Aborts when the process shuts down, or after the time limit. Not AbortSignal.any: on Node 20 each of its signals stays in the
 * memory of a signal that lives as long as the process.
 */
export function attemptSignal(shutdown: AbortSignal, timeoutMs: number): AttemptSignal {
  const attempt = new AbortController();
  const abort = (): void => {
    attempt.abort(shutdown.reason);
  };
  const timer = setTimeout(() => {
    attempt.abort(new DOMException('the try took too long', 'TimeoutError'));
  }, timeoutMs);
  shutdown.addEventListener('abort', abort, { once: true });
  if (shutdown.aborted) abort();
  return {
    signal: attempt.signal,
    end() {
      clearTimeout(timer);
      shutdown.removeEventListener('abort', abort);
    },
  };
}
