import type { Environment, Terminal } from '../terminal';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'faint' | 'strong';

export interface RenderOptions {
  hasColours: boolean;
  now: Date;
  /** Undefined when nothing needs to be cut. */
  columns: number | undefined;
}

const CODES: Readonly<Record<Tone, string>> = {
  plain: '0',
  good: '32',
  warn: '33',
  bad: '31',
  faint: '2',
  strong: '1',
};

/** Uses colours only on a terminal, and never with NO_COLOR. */
export function renderOptionsOf(terminal: Terminal, env: Environment): RenderOptions {
  return {
    hasColours: terminal.isOutTty && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    now: terminal.now(),
    columns: terminal.isOutTty ? terminal.columns : undefined,
  };
}

export function paint(options: Pick<RenderOptions, 'hasColours'>, tone: Tone, text: string): string {
  return options.hasColours && tone !== 'plain' && text !== '' ? `\x1b[${CODES[tone]}m${text}\x1b[0m` : text;
}

/** Removes control characters from texts, because a terminal would obey them. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
