/** The terminal and its user, as the command line sees them. Tests replace it. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  isOutTty: boolean;
  isErrTty: boolean;
  /** Width of the terminal; undefined when there is none. */
  columns: number | undefined;
  /** The default for `--by`. */
  user: string;
  now(): Date;
  /** Asks a question that is answered with yes or no. False when there is no terminal to answer. */
  confirm(question: string): Promise<boolean>;
  /** The whole of standard input. */
  readInput(): Promise<string>;
  /** After this call Ctrl-C aborts the signal and does not end the process. */
  catchInterrupt(): AbortSignal;
}

export type Environment = Readonly<Record<string, string | undefined>>;
