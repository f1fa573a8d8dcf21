import type { QueueFacts, ReplicaFacts, ServerFacts } from '@passerelle/database';
import type { GatewayRow } from './gateway-rows';

export interface Finding {
  check: string;
  /** `bad`: something does not work, or data may be lost. `warn`: a fact that an operator should check. */
  state: 'good' | 'warn' | 'bad';
  says: string;
  /** The advice; null when the state is good. */
  next: string | null;
}

export interface DiskSpace {
  path: string;
  free: number;
  size: number;
}

export interface InstallationFacts {
  release: string;
  /** The release of the compose file that started this program; null without one. */
  composeRelease: string | null;
  server: ServerFacts;
  /** This machine's clock in the middle of the query to the server, and the duration of the query. */
  asked: { at: Date; tookMs: number };
  /** Null without a replica; a sentence when the replica cannot be reached. */
  replica: ReplicaFacts | string | null;
  badSettings: readonly string[];
  /** Why this environment's SECRETS_KEY is not the database's, and the keys and sources that the key does not fit. */
  unfit: { fault: string | null; keys: number; sources: readonly string[] };
  /** Null when the database has never been migrated. */
  queue: QueueFacts | null;
  disks: readonly DiskSpace[];
  rows: readonly GatewayRow[];
  now: Date;
}

export function good(check: string, says: string): Finding {
  return { check, state: 'good', says, next: null };
}
