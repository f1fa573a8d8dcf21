export * from './catalogue';
export { addressOrRange, ConfigError, type LogLevel } from './kinds';
export type { Program, Setting } from './setting';
export * from './settings';
export { redisLocation } from './redis-location';
