import type { Environment, OpsIo } from '../io';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'faint' | 'strong';

/** How text for a person is written: for which screen, and seen from which moment. */
export interface Look {
  hasColours: boolean;
  now: Date;
  /** Undefined when nothing must be cut to fit. */
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

/** Colours only for eyes: on a terminal, unless NO_COLOR says otherwise. */
export function lookOf(io: OpsIo, env: Environment): Look {
  return {
    hasColours: io.isOutTty && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    now: io.now(),
    columns: io.isOutTty ? io.columns : undefined,
  };
}

export function paint(look: Pick<Look, 'hasColours'>, tone: Tone, text: string): string {
  return look.hasColours && tone !== 'plain' && text !== '' ? `\x1b[${CODES[tone]}m${text}\x1b[0m` : text;
}

/** What feeds and people wrote, without what a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}
