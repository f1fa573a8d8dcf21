export * from './kit/contracts';
export { createTargets } from './kit/registry';
