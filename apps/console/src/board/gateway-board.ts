import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  type ConnectorOutcomes,
  FollowUps,
  GatewaySummaries,
  type InstallationDay,
  InstallationDays,
  type NewestReport,
  OutboxLog,
  type Problem,
  Problems,
  Reports,
  RunHistory,
  RunOutcomes,
  type SavedView,
  SavedViews,
  ServerQuestions,
  type TableOnDisk,
} from '@passerelle/database';
import { RUN_STATES, type RunState, type RunView } from '@passerelle/domain';
import { type GatewayRow, toGatewayRow } from '@passerelle/operations';
import type { ConsoleConfig } from '../config';
import { CLOCK, type Clock, CONFIG } from '../tokens';
import { AllGateways } from './all-gateways';
import { CachedValue } from './cached-value';
import { type FoundInstallation, Services } from './services';

/** Maximum age of counts and lists. */
const CACHED_MS = 10_000;
/** Daily figures and patterns change slowly and are expensive to read. */
const LONG_CACHED_MS = 60_000;
const DAY_HOURS = 24;
export const TREND_DAYS = 30;
export const SHOWN_RUNS = 100;
export const SHOWN_PROBLEMS = 200;

/** The content of pages that refresh themselves, queried for all viewers together at most every ten seconds. */
@Injectable()
export class GatewayBoard implements OnModuleDestroy {
  private readonly cached: CachedValue<AllGateways>;
  private readonly cachedDays: CachedValue<InstallationDay[]>;
  private readonly cachedOutcomes: CachedValue<ConnectorOutcomes[]>;
  private readonly cachedRuns: ReadonlyMap<RunState | undefined, CachedValue<RunView[]>>;
  private readonly cachedInstallation: CachedValue<FoundInstallation>;
  private readonly cachedProblems: CachedValue<Problem[]>;
  private readonly cachedReports: CachedValue<ReadonlyMap<number, NewestReport>>;
  private readonly cachedViews: CachedValue<SavedView[]>;
  private readonly cachedLeads: CachedValue<number>;
  private readonly cachedStorage: CachedValue<TableOnDisk[]>;

  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly summaries: GatewaySummaries,
    private readonly followUps: FollowUps,
    installationDays: InstallationDays,
    runOutcomes: RunOutcomes,
    runHistory: RunHistory,
    problems: Problems,
    reports: Reports,
    savedViews: SavedViews,
    outboxLog: OutboxLog,
    server: ServerQuestions,
    services: Services,
  ) {
    const keep = <Value>(ms: number, load: () => Promise<Value>): CachedValue<Value> =>
      new CachedValue(ms, clock, load);
    this.cached = keep(CACHED_MS, () => this.load());
    this.cachedDays = keep(LONG_CACHED_MS, () => installationDays.list(TREND_DAYS));
    this.cachedOutcomes = keep(LONG_CACHED_MS, () => runOutcomes.since(DAY_HOURS));
    this.cachedRuns = new Map(
      [undefined, ...RUN_STATES].map((state) => [
        state,
        keep(CACHED_MS, () => runHistory.list({ limit: SHOWN_RUNS, ...(state !== undefined && { state }) })),
      ]),
    );
    this.cachedProblems = keep(LONG_CACHED_MS, () => problems.list(SHOWN_PROBLEMS));
    this.cachedReports = keep(
      LONG_CACHED_MS,
      async () => new Map((await reports.newestOfAll()).map((report) => [report.gatewayId, report])),
    );
    this.cachedViews = keep(CACHED_MS, () => savedViews.list());
    this.cachedLeads = keep(CACHED_MS, () => outboxLog.countWaiting('lead'));
    this.cachedStorage = keep(LONG_CACHED_MS, () => server.storage());
    this.cachedInstallation = keep(CACHED_MS, async () => services.look((await this.table()).rows));
  }

  /** Every gateway. */
  async table(): Promise<AllGateways> {
    return this.cached.get();
  }

  async outcomes(): Promise<ConnectorOutcomes[]> {
    return this.cachedOutcomes.get();
  }

  /** The last days of the trend. */
  async days(): Promise<InstallationDay[]> {
    return this.cachedDays.get();
  }

  async runs(state?: RunState): Promise<RunView[]> {
    return (await this.cachedRuns.get(state)?.get()) ?? [];
  }

  async installation(): Promise<FoundInstallation> {
    return this.cachedInstallation.get();
  }

  /** Patterns of the newest runs of all gateways. */
  async problems(): Promise<Problem[]> {
    return this.cachedProblems.get();
  }

  async reports(): Promise<ReadonlyMap<number, NewestReport>> {
    return this.cachedReports.get();
  }

  async views(): Promise<SavedView[]> {
    return this.cachedViews.get();
  }

  async waitingLeads(): Promise<number> {
    return this.cachedLeads.get();
  }

  async storage(): Promise<TableOnDisk[]> {
    return this.cachedStorage.get();
  }

  onModuleDestroy(): void {
    for (const cached of this.all()) cached.stop();
  }

  /** These gateways, read now instead of from the cache. */
  async fresh(ids: readonly number[]): Promise<GatewayRow[]> {
    return (await this.summaries.listOf(ids)).map((gateway) => this.toRow(gateway));
  }

  /** One gateway, read now instead of from the cache; null if it does not exist. */
  async find(crm: string, client: string): Promise<GatewayRow | null> {
    const gateway = await this.summaries.find(crm, client);
    return gateway === null ? null : this.toRow(gateway);
  }

  /** An operator who has changed something sees the change immediately. */
  forget(): void {
    for (const cached of [this.cached, this.cachedViews, ...this.cachedRuns.values()]) cached.forget();
  }

  private all(): CachedValue<unknown>[] {
    const long = [this.cachedOutcomes, this.cachedDays, this.cachedProblems, this.cachedReports, this.cachedStorage];
    const short = [this.cached, this.cachedInstallation, this.cachedViews, this.cachedLeads];
    return [...long, ...short, ...this.cachedRuns.values()];
  }

  private async load(): Promise<AllGateways> {
    const [summaries, followUps] = await Promise.all([this.summaries.list(), this.followUps.list()]);
    const byGateway = new Map(followUps.map((followUp) => [followUp.gatewayId, followUp]));
    return new AllGateways(
      summaries.map((gateway) => this.toRow(gateway)),
      byGateway,
      this.clock(),
    );
  }

  private toRow(gateway: Parameters<typeof toGatewayRow>[0]): GatewayRow {
    const { refreshEverySeconds: everySeconds, snapshotTtlSeconds: ttlSeconds } = this.config;
    return toGatewayRow(gateway, this.clock(), { everySeconds, ttlSeconds });
  }
}
