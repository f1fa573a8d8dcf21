import { say } from './one-line';

/** The moment at which everything must stop, and why. */
export class Halt {
  private readonly controller = new AbortController();
  /** Null when the user asked for it. */
  failure: unknown = null;

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The first reason counts. */
  begin(failure: unknown = null): void {
    if (this.signal.aborted) return;
    this.failure = failure;
    this.controller.abort();
  }

  async begun(): Promise<void> {
    if (this.signal.aborted) return;
    await new Promise((resolve) => {
      this.signal.addEventListener('abort', resolve, { once: true });
    });
  }
}

/** npm hands on the Ctrl-C that the terminal has sent us already: that one is not a second one. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_MS = 500;

/** Ctrl-C, SIGTERM and a closed terminal stop everything in order; a second Ctrl-C does not wait. */
export function haltOnSignals(halt: Halt, force: () => void): void {
  let firstAt: number | null = null;
  const stop = (): void => {
    firstAt ??= Date.now();
    if (halt.signal.aborted && Date.now() - firstAt > SAME_SIGNAL_MS) {
      force();
      return;
    }
    requestStop(halt);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.env['npm_lifecycle_event'] !== undefined) haltWithParent(halt);
}

/** When a shell runs between npm and us, a signal to npm may end only that shell. */
function haltWithParent(halt: Halt): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) requestStop(halt);
  }, PARENT_CHECK_MS).unref();
}

function requestStop(halt: Halt): void {
  if (!halt.signal.aborted) say('Stopping…');
  halt.begin();
}
