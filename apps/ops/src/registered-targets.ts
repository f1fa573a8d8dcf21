import { createTargets, type Target } from '@passerelle/exporters';

/** Every target, by code. */
export function loadTargets(): ReadonlyMap<string, Target> {
  return createTargets();
}
