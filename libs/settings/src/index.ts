export * from './catalogue';
export { addressOrRange, ConfigError, type LogLevel } from './kinds';
export * from './log-options';
export * from './settings';
