import type { Surroundings } from './surroundings';

/** One question about speed or memory, and the code that answers it. */
export interface Bench {
  name: string;
  run(surroundings: Surroundings): Promise<Finding[]>;
}

/** A measured value and its goal. */
export interface Finding {
  what: string;
  value: number;
  /** The goal: at least `min`, or at most `max`; null if the value is only there for comparison. */
  goal: { min: number } | { max: number } | null;
  unit: '×' | 'MB' | 's' | 'ms' | 'µs' | 'KB' | 'requests' | 'listings';
  /** The measurements behind the value. */
  detail: string;
}

/** A finding and the name of its bench. */
export interface Result extends Finding {
  bench: string;
}

/** Formats findings as a table: one line per finding, with aligned columns. */
export function table(results: readonly Result[]): string {
  const all = [['bench', 'what', 'measured', 'goal', '', 'made of'], ...results.map(cells)];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The texts of one line: bench, operation, value, goal, verdict, details. */
export function cells({ bench, what, value, goal, unit, detail }: Result): string[] {
  const wanted = goal === null ? '' : 'min' in goal ? `≥ ${figure(goal.min, unit)}` : `≤ ${figure(goal.max, unit)}`;
  return [bench, what, figure(value, unit), wanted, verdict({ value, goal }), detail];
}

function verdict({ value, goal }: Pick<Finding, 'value' | 'goal'>): string {
  if (goal === null) return '';
  return ('min' in goal ? value >= goal.min : value <= goal.max) ? 'reached' : 'MISSED';
}

function figure(value: number, unit: Finding['unit']): string {
  if (unit === '×') return `${value.toFixed(2)} ×`;
  const isCount = unit === 'requests' || unit === 'listings';
  return `${value < 10 && !isCount ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
