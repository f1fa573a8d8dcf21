import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** The context in which Nest logs a boot that failed, ahead of throwing the same error. */
const BOOT = 'ExceptionHandler';

/**
 * Sends Nest's messages to our log. What it says while it boots is for debugging only, also when it fails: then the
 * program says why, in one line.
 */
export function nestLogger(log: Logger): LoggerService {
  return {
    log: (message: unknown) => {
      log.debug(String(message));
    },
    error: (message: unknown, ...details: unknown[]) => {
      const level = details.at(-1) === BOOT ? 'debug' : 'error';
      log[level]({ details: details.map(String) }, String(message));
    },
    warn: (message: unknown) => {
      log.warn(String(message));
    },
  };
}
