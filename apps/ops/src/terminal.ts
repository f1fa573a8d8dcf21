export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  isOutTty: boolean;
  isErrTty: boolean;
  columns: number | undefined;
  /** The default for `--by`. */
  user: string;
  now(): Date;
  /** Asks a yes-or-no question. False when there is no terminal. */
  confirm(question: string): Promise<boolean>;
  readInput(): Promise<Buffer>;
  /** After this call Ctrl-C aborts the signal and does not end the process. */
  catchInterrupt(): AbortSignal;
}

export type Environment = Readonly<Record<string, string | undefined>>;
