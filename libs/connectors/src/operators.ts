/**
 * The second entry point of this library, for the operators' command line: everything about connectors except the
 * engine, because the engine's clients and parsers take longer to load than a command may take to answer.
 */
export { isPublicAddress } from './engine/fetch/address-guard';
export { admissionOf } from './engine/fetch/request-budget';
export { remap } from './engine/map/remap';
export { loadRegistry } from './engine/registry';
export { httpCredentialProblem } from './kit/http-access';

/** The engine for trying a feed. It is loaded when an operator tries one. */
export const loadTrials = () => import('./engine/try-feed.ts');
