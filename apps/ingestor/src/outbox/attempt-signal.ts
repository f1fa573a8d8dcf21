export interface AttemptSignal {
  signal: AbortSignal;
  /** Must be called when the attempt is over. */
  end: () => void;
}

/** AbortSignal.any would leak: on Node 20 its signals stay in memory as long as the signal of the process. */
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
