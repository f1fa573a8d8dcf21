import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { IngestorConfig } from '../config';

/** How runs are carried out. */
export interface RunnerOptions {
  /** Shown as the lease's holder. */
  holder: string;
  leaseSeconds: number;
  /** Period of gateways that have none of their own. */
  everySeconds: number;
  /** A run that takes longer is given up. */
  runTimeoutMs: number;
}

const LEASE_SECONDS = 15;
const RUN_TIMEOUT_MS = 60 * 60_000;

export function runnerOptions({ refreshEverySeconds }: IngestorConfig): RunnerOptions {
  return {
    holder: `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`,
    leaseSeconds: LEASE_SECONDS,
    everySeconds: refreshEverySeconds,
    runTimeoutMs: RUN_TIMEOUT_MS,
  };
}
