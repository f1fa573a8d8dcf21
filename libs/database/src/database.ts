import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { Connectors } from './connector/connectors';
import { createDataSource, type DatabaseOptions } from './data-source';
import { Gateways } from './gateway/gateways';
import { ServedGateways } from './gateway/served-gateways';
import { ServedListings } from './listing/served-listings';
import { type Listener, Notifications } from './notifications';
import { Reports } from './report/reports';
import { type ConnectorFigures, type FiguresOptions, loadFigures } from './run/figures';
import { discardHeld, publishHeld, type RunDecision } from './run/held-runs';
import { type HistoryOptions, pruneHistory } from './run/history';
import { HostBudgets } from './run/host-budgets';
import { Leases } from './run/leases';
import { loadRunDetails, type RunDetails } from './run/run-details';
import { Runs } from './run/runs';
import { Schedule } from './run/schedule';
import { type ListingTrace, traceListing } from './run/why';
import { type HeldVersion, readVersions, rehash } from './snapshot/current-snapshot';
import { pruneSnapshots } from './snapshot/prune';
import { confirm, publish, type Publication } from './snapshot/publish';
import { SnapshotWriter } from './snapshot/snapshot-writer';
import { withConnection } from './transaction';

/** One process's connection to PostgreSQL, and everything that is stored there. */
export class Database {
  readonly connectors: Connectors;
  readonly gateways: Gateways;
  readonly servedGateways: ServedGateways;
  readonly listings: ServedListings;
  readonly reports: Reports;
  readonly runs: Runs;
  readonly leases: Leases;
  readonly schedule: Schedule;
  readonly hostBudgets: HostBudgets;
  private readonly pool: Pool;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly url: string,
  ) {
    // Hot queries are prepared once per connection, which a query runner of the ORM cannot ask for.
    this.pool = poolOf(dataSource);
    this.connectors = new Connectors(dataSource);
    this.gateways = new Gateways(dataSource);
    this.servedGateways = new ServedGateways(this.pool);
    this.listings = new ServedListings(this.pool);
    this.reports = new Reports(this.pool);
    this.runs = new Runs(this.pool);
    this.leases = new Leases(this.pool);
    this.schedule = new Schedule(this.pool);
    this.hostBudgets = new HostBudgets(this.pool);
  }

  /** @throws when the database cannot be reached. */
  static async connect(options: DatabaseOptions): Promise<Database> {
    const dataSource = createDataSource(options);
    await dataSource.initialize();
    return new Database(dataSource, options.url);
  }

  /** Applies the migrations that are missing; several processes may do so at once. @returns their names. */
  async migrate(): Promise<string[]> {
    return withConnection(this.pool, async (client) => {
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      try {
        const applied = await this.dataSource.runMigrations({ transaction: 'each' });
        return applied.map(({ name }) => name);
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      }
    });
  }

  /** Whether every migration that this version knows has been applied. */
  async isMigrated(): Promise<boolean> {
    return !(await this.dataSource.showMigrations());
  }

  /** @throws when the database does not answer. */
  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  snapshotWriter(gatewayId: number, runId: number): SnapshotWriter {
    return new SnapshotWriter(this.pool, gatewayId, runId);
  }

  /** The versions of a snapshot in its order, without their texts, a few thousand at a time. */
  readVersions(snapshotId: number): AsyncIterable<HeldVersion[]> {
    return readVersions(this.pool, snapshotId);
  }

  /** Notes that versions of a gateway are what records with these hashes become. */
  async rehash(hashes: readonly { versionId: number; recordHash: string }[]): Promise<void> {
    await rehash(this.pool, hashes);
  }

  /** @throws PublishRefused */
  async publish(publication: Publication): Promise<void> {
    await publish(this.pool, publication);
  }

  /** @throws PublishRefused */
  async confirm(confirmation: Omit<Publication, 'snapshotId'> & { baseSnapshotId: number }): Promise<void> {
    await confirm(this.pool, confirmation);
  }

  /** Publishes what a run held back, by an operator's order. @throws PublishRefused */
  async publishHeld(runId: number, decision: RunDecision): Promise<void> {
    await publishHeld(this.pool, this.leases, runId, decision);
  }

  /** Puts a held run aside, by an operator's order. @throws PublishRefused */
  async discardHeld(runId: number, decision: RunDecision): Promise<void> {
    await discardHeld(this.pool, runId, decision);
  }

  async runDetails(runId: number): Promise<RunDetails | null> {
    return loadRunDetails(this.pool, runId);
  }

  /** How the gateways of each connector fare: one statement over tables and indexes that stay small. */
  async figures(options: FiguresOptions): Promise<ConnectorFigures[]> {
    return loadFigures(this.pool, options);
  }

  /** Where a listing of a gateway is, or was last seen; by `affId` or `affNum`. */
  async traceListing(gatewayId: number, id: string): Promise<ListingTrace> {
    return traceListing(this.pool, gatewayId, id);
  }

  /** Removes the snapshots of a gateway that nobody can be reading any more. @returns how many. */
  async pruneSnapshots(gatewayId: number): Promise<number> {
    return pruneSnapshots(this.pool, gatewayId);
  }

  /** Forgets old runs and changes. @returns how many runs were forgotten. */
  async pruneHistory(options: HistoryOptions): Promise<number> {
    return pruneHistory(this.pool, options);
  }

  /** Not started yet: call `start()`. */
  notifications(channels: readonly string[], listener: Listener): Notifications {
    return new Notifications(this.url, channels, listener);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}

/** Any number that no other advisory lock of ours has. */
const MIGRATION_LOCK = 20_251_121;

function poolOf(dataSource: DataSource): Pool {
  const { driver } = dataSource;
  if (!('master' in driver)) throw new Error('the data source has no connection pool');
  return driver.master as Pool;
}
