/** For the operators' command line, without the engine: its clients and parsers take too long to load. */
export { isPublicAddress } from './engine/fetch/address-guard';
export { admissionOf } from './engine/fetch/request-budget';
export { remap } from './engine/map/remap';
export { loadRegistry } from './engine/registry';
export { httpCredentialProblem } from './kit/http-access';

/** The engine for trying a feed. It is loaded when an operator tries one. */
export const loadTrials = () => import('./engine/try-feed.ts');
