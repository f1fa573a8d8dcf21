import { CONTRACT, SchemaUnfit } from './schema-unfit';

export interface ReleaseSchema {
  /** The version, or a commit from before the first version. */
  release: string;
  /** The last migration of the release. */
  schema: string;
}

/**
 * The earlier releases, oldest first: docs/support.md shows them. A new release adds the one before it. Databases of the
 * last one can be upgraded. Earlier ones cannot, because a `Contract…` migration may remove what they still use.
 */
export const PAST_RELEASES: readonly [ReleaseSchema, ...ReleaseSchema[]] = [
  { release: '829f34c', schema: 'Pauses1763780400000' },
];

/** The state of a database before an upgrade. */
export interface FoundSchema {
  /** Names of applied migrations; empty for a new database. */
  applied: readonly string[];
  /** False in a database that an interrupted first migration has left: it continues. */
  hasGateways: boolean;
}

/** Refuses an upgrade that skips a release, and a migration by an older release. @throws SchemaUnfit */
export function assertUpgradable(
  { applied, hasGateways }: FoundSchema,
  known: readonly string[],
  past: readonly ReleaseSchema[] = PAST_RELEASES,
): void {
  const ahead = applied.find((name) => name.startsWith(CONTRACT) && !known.includes(name));
  if (ahead !== undefined) throw new SchemaUnfit(`the database is of a newer release (${ahead}): nothing was changed`);
  const oldest = past.at(-1);
  if (!hasGateways || oldest === undefined || applied.includes(oldest.schema)) return;
  throw new SchemaUnfit(
    `the database is of a release before ${oldest.release}, and this upgrade would skip a release: ` +
      `upgrade to ${oldest.release} first; nothing was changed`,
  );
}
