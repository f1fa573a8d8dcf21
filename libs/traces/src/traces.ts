/** A step with its beginning and end, in Unix milliseconds. */
export interface Step {
  name: string;
  startMs: number;
  endMs: number;
}

/** Completed work. Its attributes describe the work and contain no secret. */
export interface Span extends Step {
  kind: 'server' | 'internal';
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** All work that one API request causes belongs to one trace, in every process. */
  requestId: string | null;
  hasFailed: boolean;
  steps?: readonly Step[];
}

/** Where spans go. */
export interface Traces {
  record(span: Span): void;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/** Nowhere. */
export const NO_TRACES: Traces = { record: () => undefined, close: () => Promise.resolve() };

/** Records when each step of a run began and ended, including a failed step. */
export class RunSteps {
  readonly list: Step[] = [];

  async time<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startMs = Date.now();
    try {
      return await work();
    } finally {
      this.list.push({ name, startMs, endMs: Date.now() });
    }
  }
}
