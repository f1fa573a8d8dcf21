import { paint, printable, type RenderOptions, type Tone } from './render-options';

export interface Column<T> {
  title: string;
  value(row: T): string | number | null;
  /** Numbers are aligned to the right. */
  align?: 'right';
  tone?(row: T): Tone;
}

const GAP = '  ';
const NARROWEST_LAST = 20;

/** Aligned columns under their titles; only the last column is cut at the screen's width. */
export function renderTable<T>(
  options: RenderOptions,
  columns: readonly Column<T>[],
  rows: readonly T[],
  none: string,
): string {
  if (rows.length === 0) return paint(options, 'faint', none);
  const cells = rows.map((row) => columns.map((column) => cellText(column.value(row))));
  const widths = columns.map((column, index) =>
    Math.max(column.title.length, ...cells.map((texts) => texts[index]!.length)),
  );
  const room = lastColumnRoom(options, widths);
  const line = (texts: readonly string[], toneAt: (index: number) => Tone): string =>
    texts
      .map((text, index) => {
        const isLast = index === columns.length - 1;
        const fitted = isLast ? cut(text, room) : text;
        const padding = ' '.repeat(Math.max(0, widths[index]! - fitted.length));
        const painted = paint(options, toneAt(index), fitted);
        if (columns[index]!.align === 'right') return padding + painted;
        return isLast ? painted : painted + padding;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      () => 'faint',
    ),
    ...rows.map((row, rowIndex) => line(cells[rowIndex]!, (index) => columns[index]!.tone?.(row) ?? 'plain')),
  ].join('\n');
}

function cellText(value: string | number | null): string {
  return value === null ? '-' : printable(String(value));
}

function lastColumnRoom(options: RenderOptions, widths: readonly number[]): number {
  if (options.columns === undefined) return Infinity;
  const taken = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  return Math.max(NARROWEST_LAST, options.columns - taken);
}

function cut(text: string, room: number): string {
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

export interface Line {
  label: string;
  /** A line whose value is null is left out. */
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
