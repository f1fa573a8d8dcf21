import type { QueueFacts, ReplicaFacts, ServerFacts } from '@passerelle/database';
import type { GatewayRow } from './gateway-rows';

/** One check, and its result. */
export interface Finding {
  check: string;
  /** `bad`: something does not work, or will be lost. `warn`: an operator should check it. */
  state: 'good' | 'warn' | 'bad';
  says: string;
  /** The advice; null when all is well. */
  next: string | null;
}

/** Free space where files of the product are kept. */
export interface DiskSpace {
  path: string;
  free: number;
  size: number;
}

/** The facts that a look at an installation has gathered. */
export interface InstallationFacts {
  /** The release of this program. */
  release: string;
  /** The release of the compose file that started it; null without one. */
  composeRelease: string | null;
  server: ServerFacts;
  /** This machine's clock in the middle of the query to the server, and the query's duration. */
  asked: { at: Date; tookMs: number };
  /** Null without a replica; a sentence when it cannot be reached. */
  replica: ReplicaFacts | string | null;
  /** Invalid settings, one sentence each. */
  badSettings: readonly string[];
  /** Why the SECRETS_KEY of this environment is not that of the database; the keys and sources that it does not fit. */
  unfit: { fault: string | null; keys: number; sources: readonly string[] };
  /** Null when the database was never migrated. */
  queue: QueueFacts | null;
  disks: readonly DiskSpace[];
  rows: readonly GatewayRow[];
  now: Date;
}

/** A check that found nothing wrong. */
export function good(check: string, says: string): Finding {
  return { check, state: 'good', says, next: null };
}
