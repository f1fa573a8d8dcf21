import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Lets Nest's own messages go through our log; its start-up chatter is for debugging only. */
export function nestLogger(log: Logger): LoggerService {
  return {
    log: (message: unknown) => {
      log.debug(String(message));
    },
    error: (message: unknown, ...details: unknown[]) => {
      log.error({ details: details.map(String) }, String(message));
    },
    warn: (message: unknown) => {
      log.warn(String(message));
    },
  };
}
