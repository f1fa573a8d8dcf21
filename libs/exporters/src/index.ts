export * from './kit/contracts';
