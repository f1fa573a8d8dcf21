import type { LogLevel } from './kinds';

/** The options that pino gets in each program, so that the lines of all are alike: `service`, and ISO 8601 time. */
export function logOptions(service: 'api' | 'ingestor', level: LogLevel) {
  return { level, base: { service }, timestamp: (): string => `,"time":"${new Date().toISOString()}"` };
}
