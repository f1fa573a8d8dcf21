import type { Target } from './kit/contracts';

/** All targets, by code. */
export function createTargets(): ReadonlyMap<string, Target> {
  return new Map();
}
