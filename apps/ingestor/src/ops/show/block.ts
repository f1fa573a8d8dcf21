import { type Look, paint, printable, type Tone } from './look';

export interface Line {
  label: string;
  /** Left out when null. */
  value: string | number | null;
  tone?: Tone;
}

/** Labels and values below a heading. */
export function renderBlock(look: Look, heading: string, lines: readonly Line[]): string {
  const shown = lines.filter(({ value }) => value !== null && value !== '');
  const width = Math.max(0, ...shown.map(({ label }) => label.length));
  return [
    paint(look, 'strong', printable(heading)),
    ...shown.map(
      ({ label, value, tone }) =>
        `  ${paint(look, 'faint', label.padEnd(width))}  ${paint(look, tone ?? 'plain', printable(String(value)))}`,
    ),
  ].join('\n');
}
