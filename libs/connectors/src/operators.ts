/** Exports for the operators' command line, without the engine, whose clients and parsers take too long to load. */
export { isPublicAddress } from './engine/fetch/address-guard';
export { admissionOf } from './engine/fetch/request-budget';
export { remap } from './engine/map/remap';
export { loadRegistry } from './engine/registry';
export { httpCredentialProblem } from './kit/http-access';

/** Loads the engine only when an operator tries a feed. */
export const loadTrials = () => import('./engine/try-feed.ts');
