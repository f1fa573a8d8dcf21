/** What the command line knows of the terminal and the person at it. Tests bring their own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  isOutTty: boolean;
  isErrTty: boolean;
  /** Width of the terminal; undefined when there is none. */
  columns: number | undefined;
  /** Who decides, unless `--by` says otherwise. */
  user: string;
  now(): Date;
  /** Asks a question that is answered by yes or no. False where nobody can answer. */
  confirm(question: string): Promise<boolean>;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** From this call on Ctrl-C does not end the process, but aborts the signal. */
  catchInterrupt(): AbortSignal;
}

export type Environment = Readonly<Record<string, string | undefined>>;
