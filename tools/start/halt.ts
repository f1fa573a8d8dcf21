import { say } from './one-line';

export class Halt {
  private readonly controller = new AbortController();
  /** Null when the user requested the stop. */
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

/** The terminal sends Ctrl-C, and npm forwards it again. Within this time, both count as one signal. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_MS = 500;

/** On Ctrl-C, SIGTERM or a closed terminal, stops everything in order; on a second Ctrl-C, stops immediately. */
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

/** If a shell runs between npm and this process, a signal to npm may end only the shell. */
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
