export * from './catalogue';
export { ConfigError, type LogLevel } from './kinds';
export * from './log-options';
export * from './settings';
