export { configHashOf, hashOf } from './engine/hashes';
export { judgeExport } from './engine/judge-export';
export { actionFor, type AdvertAction, isLive } from './engine/publication-states';
export {
  AdvertIds,
  type Candidate,
  chosenOf,
  embargoed,
  type Exclusion,
  excludedByRule,
  priceOf,
} from './engine/selection';
export * from './kit/contracts';
export { createTargets } from './kit/registry';
