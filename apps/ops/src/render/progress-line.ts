import { isRunOver, type RunView } from '@passerelle/domain';
import type { Terminal } from '../terminal';
import { counted, span } from './figures';

const CLEAR_LINE = '\r\x1b[K';

/** A line on a terminal that shows the progress of the runs; each update overwrites it. */
export class ProgressLine {
  private readonly startedMs = performance.now();
  private isShown = false;

  constructor(private readonly terminal: Terminal) {}

  show(runs: readonly RunView[]): void {
    if (!this.terminal.isErrTty) return;
    this.terminal.err(`${CLEAR_LINE}${progressText(runs, Math.round((performance.now() - this.startedMs) / 1000))}`);
    this.isShown = true;
  }

  clear(): void {
    if (this.isShown) this.terminal.err(CLEAR_LINE);
    this.isShown = false;
  }
}

/** `run 12 running, 8 s, 1500 records`, or for several `3 of 60 runs over, 2 running, 8 s`. */
export function progressText(runs: readonly RunView[], seconds: number): string {
  const [run] = runs;
  if (run !== undefined && runs.length === 1) {
    const records = run.records > 0 ? `, ${counted(run.records, 'record')}` : '';
    return `run ${run.id} ${run.state}, ${span(seconds)}${records}`;
  }
  const over = runs.filter(({ state }) => isRunOver(state)).length;
  const running = runs.filter(({ state }) => state === 'running').length;
  return `${over} of ${counted(runs.length, 'run')} over, ${running} running, ${span(seconds)}`;
}
