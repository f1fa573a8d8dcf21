import { type RenderOptions, paint, printable, type Tone } from './render-options';

export interface Line {
  label: string;
  /** Left out when null. */
  value: string | number | null;
  tone?: Tone;
}

/** Labels and values below a heading. */
export function renderBlock(options: RenderOptions, heading: string, lines: readonly Line[]): string {
  const shown = lines.filter(({ value }) => value !== null && value !== '');
  const width = Math.max(0, ...shown.map(({ label }) => label.length));
  return [
    paint(options, 'strong', printable(heading)),
    ...shown.map(
      ({ label, value, tone }) =>
        `  ${paint(options, 'faint', label.padEnd(width))}  ${paint(options, tone ?? 'plain', printable(String(value)))}`,
    ),
  ].join('\n');
}
