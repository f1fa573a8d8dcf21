import type { Surroundings } from './surroundings';

/** One question about speed or memory, and how it is answered. */
export interface Bench {
  name: string;
  run(surroundings: Surroundings): Promise<Finding[]>;
}

/** A figure beside its goal. */
export interface Finding {
  what: string;
  value: number;
  /** The goal: at least, or at most. */
  goal: { min: number } | { max: number };
  unit: '×' | 'MB' | 's';
  /** What it was made of. */
  detail: string;
}

function isReached({ value, goal }: Finding): boolean {
  return 'min' in goal ? value >= goal.min : value <= goal.max;
}

export function shown(finding: Finding): string {
  const { what, value, goal, unit, detail } = finding;
  const figure = (number: number): string => (unit === '×' ? number.toFixed(2) : `${Math.round(number)} ${unit}`);
  const wanted = 'min' in goal ? `≥ ${figure(goal.min)}` : `≤ ${figure(goal.max)}`;
  return `${isReached(finding) ? 'reached' : 'MISSED '}  ${what}: ${figure(value)} (goal ${wanted}); ${detail}`;
}
