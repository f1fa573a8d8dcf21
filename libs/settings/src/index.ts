export * from './catalogue';
export { addressOrRange, ConfigError, type LogLevel } from './kinds';
export * from './settings';
