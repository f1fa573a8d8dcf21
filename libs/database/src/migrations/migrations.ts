import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { type RolePasswords, updateRoles } from '../roles/roles';
import { DEFAULT_PARTITIONS, divide, partitionsIn } from '../partitions/divide';
import { withConnection } from '../transaction';
import { FirstSchema1763683200000 } from './0001-first-schema';
import { HeldRuns1763690400000 } from './0002-held-runs';
import { RunDifference1763694000000 } from './0003-run-difference';
import { RunsStartAtOnce1763697600000 } from './0004-runs-start-at-once';
import { KeysOfNotes1763701200000 } from './0005-keys-of-notes';
import { Sync1763704800000 } from './0006-sync';
import { PhotoFiles1763708400000 } from './0007-photo-files';
import { KeyUsesAndAskers1763712000000 } from './0008-key-uses-and-askers';
import { KeyedHashesAndSealedSources1763715600000 } from './0009-keyed-hashes-and-sealed-sources';
import { ExportTokens1763719200000 } from './0010-export-tokens';
import { Announcements1763722800000 } from './0011-announcements';
import { FewerForeignKeys1763726400000 } from './0012-fewer-foreign-keys';
import { KeyScopes1763733600000 } from './0014-key-scopes';
import { MissingDuties1763737200000 } from './0015-missing-duties';
import { RunsDoNotPileUp1763740800000 } from './0016-runs-do-not-pile-up';
import { Webhooks1763751600000 } from './0019-webhooks';
import { Search1763755200000 } from './0020-search';
import { Operators1763762400000 } from './0022-operators';
import { KeysOfTextsAndListings1763769600000 } from './0024-keys-of-texts-and-listings';
import { Pauses1763780400000 } from './0027-pauses';
import { OperatorsOfAProvider1763816400000 } from './0037-operators-of-a-provider';
import { SavedViews1763820000000 } from './0038-saved-views';
import { Calls1763827200000 } from './0040-calls';
import { Leads1763834400000 } from './0042-leads';
import { SourceMemory1763845200000 } from './0045-source-memory';
import { RolesOfAProvider1763863200000 } from './0050-roles-of-a-provider';
import { RunsByState1763866800000 } from './0051-runs-by-state';
import { RotateWebhook1763870400000 } from './0052-rotate-webhook';
import { RequestsAtOnce1763877600000 } from './0054-requests-at-once';
import { PartsByGateway1763881200000 } from './0055-parts-by-gateway';
import { ListsInABucket1763892000000 } from './0058-lists-in-a-bucket';
import { LogLinesOfRuns1763902800000 } from './0061-log-lines-of-runs';
import { OneGatewayAtOnce1763906400000 } from './0062-one-gateway-at-once';
import { SourceFeedback1763920800000 } from './0066-source-feedback';
import { ShownFeedMemory1763924400000 } from './0067-shown-feed-memory';
import { NotesLeaveWithRuns1763928000000 } from './0068-notes-leave-with-runs';
import { RejectionsByRecord1763931600000 } from './0069-rejections-by-record';
import { GatewayFirst1763935200000 } from './0070-gateway-first';
import { PresentedKeys1763942400000 } from './0072-presented-keys';
import { KeptListingsAndReverts1763949600000 } from './0074-kept-listings-and-reverts';
import { AnnouncerSeesTheQueue1763953200000 } from './0075-announcer-sees-the-queue';
import { SignInLinks1763956800000 } from './0076-sign-in-links';
import { Outbox1763960400000 } from './0077-outbox';
import { CheaperTexts1763967600000 } from './0079-cheaper-texts';
import { Relisted1763971200000 } from './0080-relisted';
import { Notifications1763978400000 } from './0082-notifications';
import { Exports1763982000000 } from './0083-exports';
import { AuditPartsAndReadings1763993600000 } from './0086-audit-parts-and-readings';
import { Remaps1763997300000 } from './0084-remaps';
import { ActsOfTheConsole1763997200000 } from './0087-acts-of-the-console';
import { ServiceNotices1763997600000 } from './0089-service-notices';
import { LateAdverts1763997400000 } from './0085-late-adverts';
import { TrendAndFollowUps1763997500000 } from './0088-trend-and-follow-ups';
import { assertUpgradable, type FoundSchema } from './releases';
import { CONTRACT, SchemaUnfit } from './schema-unfit';

export const MIGRATIONS = [
  FirstSchema1763683200000,
  HeldRuns1763690400000,
  RunDifference1763694000000,
  RunsStartAtOnce1763697600000,
  KeysOfNotes1763701200000,
  Sync1763704800000,
  PhotoFiles1763708400000,
  KeyUsesAndAskers1763712000000,
  KeyedHashesAndSealedSources1763715600000,
  ExportTokens1763719200000,
  Announcements1763722800000,
  FewerForeignKeys1763726400000,
  KeyScopes1763733600000,
  MissingDuties1763737200000,
  RunsDoNotPileUp1763740800000,
  Webhooks1763751600000,
  Search1763755200000,
  Operators1763762400000,
  KeysOfTextsAndListings1763769600000,
  Pauses1763780400000,
  OperatorsOfAProvider1763816400000,
  SavedViews1763820000000,
  Calls1763827200000,
  Leads1763834400000,
  SourceMemory1763845200000,
  RolesOfAProvider1763863200000,
  RunsByState1763866800000,
  RotateWebhook1763870400000,
  RequestsAtOnce1763877600000,
  PartsByGateway1763881200000,
  ListsInABucket1763892000000,
  LogLinesOfRuns1763902800000,
  OneGatewayAtOnce1763906400000,
  SourceFeedback1763920800000,
  ShownFeedMemory1763924400000,
  NotesLeaveWithRuns1763928000000,
  RejectionsByRecord1763931600000,
  GatewayFirst1763935200000,
  PresentedKeys1763942400000,
  KeptListingsAndReverts1763949600000,
  AnnouncerSeesTheQueue1763953200000,
  SignInLinks1763956800000,
  Outbox1763960400000,
  CheaperTexts1763967600000,
  Relisted1763971200000,
  Notifications1763978400000,
  Exports1763982000000,
  AuditPartsAndReadings1763993600000,
  ActsOfTheConsole1763997200000,
  Remaps1763997300000,
  LateAdverts1763997400000,
  TrendAndFollowUps1763997500000,
  ServiceNotices1763997600000,
];

/** An arbitrary number that no other advisory lock of this product uses. */
const MIGRATION_LOCK = 20_251_121;
const LOCK_EVERY_MS = 100;

export interface Migrated {
  applied: string[];
  parts: number;
}

export class Migrations {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
  ) {}

  /** Several processes may migrate at the same time. @param parts in a new database @throws RolesNotMade, SchemaUnfit */
  async migrate(passwords: RolePasswords = {}, parts = DEFAULT_PARTITIONS): Promise<Migrated> {
    return withConnection(this.pool, async (client) => {
      await lock(client);
      try {
        assertUpgradable(
          await foundSchema(client),
          MIGRATIONS.map(({ name }) => name),
        );
        const applied = await this.dataSource.runMigrations({ transaction: 'each' });
        const found = await partitionsIn(client);
        if (found === null) await divide(client, parts);
        await updateRoles(client, passwords);
        return { applied: applied.map(({ name }) => name), parts: found ?? parts };
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      }
    });
  }

  async isMigrated(): Promise<boolean> {
    return !(await this.dataSource.showMigrations());
  }
}

async function foundSchema(client: PoolClient): Promise<FoundSchema> {
  const { rows: tables } = await client.query<{ isNew: boolean }>(
    `SELECT to_regclass('schema_migration') IS NULL OR to_regclass('gateway') IS NULL AS "isNew"`,
  );
  if (tables[0]?.isNew !== false) return { applied: [], hasGateways: false };
  const { rows } = await client.query<FoundSchema>(
    `SELECT ARRAY(SELECT name::text FROM schema_migration) AS applied, EXISTS (SELECT FROM gateway) AS "hasGateways"`,
  );
  return rows[0] ?? { applied: [], hasGateways: false };
}

/** Polls, because CREATE INDEX CONCURRENTLY would wait forever for a statement that waits for the lock. */
async function lock(client: PoolClient): Promise<void> {
  const isMine = async (): Promise<boolean> => {
    const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [MIGRATION_LOCK]);
    return rows[0]?.mine === true;
  };
  while (!(await isMine())) await sleep(LOCK_EVERY_MS);
}

/** Accepts migrations of a newer release unless they contract, because all others only add. @throws SchemaUnfit */
export function assertFit(applied: readonly string[], known: readonly string[]): void {
  if (known.some((name) => !applied.includes(name))) {
    throw new SchemaUnfit('the database lacks migrations of this release: run the migration step');
  }
  const ahead = applied.find((name) => name.startsWith(CONTRACT) && !known.includes(name));
  if (ahead !== undefined) {
    throw new SchemaUnfit(`the database is of a newer release (${ahead}): stop this process and start the newer one`);
  }
}
