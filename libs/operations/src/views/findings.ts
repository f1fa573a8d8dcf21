import type { QueueFacts, ReplicaFacts, ServerFacts } from '@passerelle/database';
import type { GatewayRow } from './gateway-rows';

/** One check, and its result. */
export interface Finding {
  check: string;
  /** `bad`: something does not work, or will be lost. `warn`: an operator should look. */
  state: 'good' | 'warn' | 'bad';
  says: string;
  /** The advice; null where all is well. */
  next: string | null;
}

/** Room where files of ours lie. */
export interface DiskRoom {
  path: string;
  free: number;
  size: number;
}

/** All that a look at an installation has found. */
export interface InstallationFacts {
  /** Of this program. */
  release: string;
  /** Of the compose file that started it; null without one. */
  composeRelease: string | null;
  server: ServerFacts;
  /** This machine's clock in the middle of the question to the server, and how long that took. */
  asked: { at: Date; tookMs: number };
  /** Null where none is set; a sentence when it cannot be reached. */
  replica: ReplicaFacts | string | null;
  /** Settings that cannot be used, in a sentence each. */
  badSettings: readonly string[];
  /** Why the SECRETS_KEY of this environment is not that of the database; keys and sources that it does not fit. */
  unfit: { fault: string | null; keys: number; sources: readonly string[] };
  /** Null where the database was never migrated. */
  queue: QueueFacts | null;
  disks: readonly DiskRoom[];
  rows: readonly GatewayRow[];
  now: Date;
}

/** A check that found nothing wrong. */
export function good(check: string, says: string): Finding {
  return { check, state: 'good', says, next: null };
}
