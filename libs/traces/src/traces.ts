/** A piece of work with a beginning and an end, in Unix milliseconds. */
export interface Step {
  name: string;
  startMs: number;
  endMs: number;
}

/** Work that is over. Its attributes name what it was about, and hold no secret. */
export interface Span extends Step {
  kind: 'server' | 'internal';
  attributes: Readonly<Record<string, string | number | boolean | null | undefined>>;
  /** All that came of one request of the API is one trace, in whichever process. */
  requestId: string | null;
  hasFailed: boolean;
  steps?: readonly Step[];
}

/** Where spans go. */
export interface Traces {
  record(span: Span): void;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

/** Nowhere. */
export const NO_TRACES: Traces = { record: () => undefined, close: () => Promise.resolve() };

/** Notes when the steps of a run began and ended, also of one that fails. */
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
