import type { LogLevel } from './kinds';

/** The time of a line, as pino puts it into one. */
export const timeOfLine = (): string => `,"time":"${new Date().toISOString()}"`;

/** The options that pino gets in each program, so that the lines of all are alike: `service`, and ISO 8601 time. */
export function logOptions(service: 'api' | 'ingestor' | 'console', level: LogLevel) {
  return { level, base: { service }, timestamp: timeOfLine };
}
