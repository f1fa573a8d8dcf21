import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  type ConnectorOutcomes,
  GatewaySummaries,
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
import { Kept } from './kept';
import { type FoundInstallation, Services } from './services';

/** Maximum age of counts and lists. */
const KEPT_MS = 10_000;
/** Daily figures, and patterns of newest runs and reports, change slowly and are expensive to read. */
const LONG_KEPT_MS = 60_000;
const DAY_HOURS = 24;
export const SHOWN_RUNS = 100;
const SHOWN_PROBLEMS = 200;

/**
 * The content of pages that refresh themselves: every gateway with its state, the newest runs and their patterns. Each
 * is queried for all viewers together, at most every ten seconds.
 */
@Injectable()
export class GatewayBoard implements OnModuleDestroy {
  private readonly kept: Kept<AllGateways>;
  private readonly keptOutcomes: Kept<ConnectorOutcomes[]>;
  private readonly keptRuns: ReadonlyMap<RunState | undefined, Kept<RunView[]>>;
  private readonly keptInstallation: Kept<FoundInstallation>;
  private readonly keptProblems: Kept<Problem[]>;
  private readonly keptReports: Kept<ReadonlyMap<number, NewestReport>>;
  private readonly keptViews: Kept<SavedView[]>;
  private readonly keptLeads: Kept<number>;
  private readonly keptStorage: Kept<TableOnDisk[]>;

  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly summaries: GatewaySummaries,
    runOutcomes: RunOutcomes,
    runHistory: RunHistory,
    problems: Problems,
    reports: Reports,
    savedViews: SavedViews,
    outboxLog: OutboxLog,
    server: ServerQuestions,
    services: Services,
  ) {
    const keep = <Value>(ms: number, load: () => Promise<Value>): Kept<Value> => new Kept(ms, clock, load);
    this.kept = keep(KEPT_MS, () => this.load());
    this.keptOutcomes = keep(LONG_KEPT_MS, () => runOutcomes.since(DAY_HOURS));
    this.keptRuns = new Map(
      [undefined, ...RUN_STATES].map((state) => [
        state,
        keep(KEPT_MS, () => runHistory.list({ limit: SHOWN_RUNS, ...(state !== undefined && { state }) })),
      ]),
    );
    this.keptProblems = keep(LONG_KEPT_MS, () => problems.list(SHOWN_PROBLEMS));
    this.keptReports = keep(
      LONG_KEPT_MS,
      async () => new Map((await reports.newestOfAll()).map((report) => [report.gatewayId, report])),
    );
    this.keptViews = keep(KEPT_MS, () => savedViews.list());
    this.keptLeads = keep(KEPT_MS, () => outboxLog.countWaiting('lead'));
    this.keptStorage = keep(LONG_KEPT_MS, () => server.storage());
    this.keptInstallation = keep(KEPT_MS, async () => services.look((await this.table()).rows));
  }

  /** Every gateway. */
  async table(): Promise<AllGateways> {
    return this.kept.get();
  }

  /** How the runs of the last day ended, by connector. */
  async outcomes(): Promise<ConnectorOutcomes[]> {
    return this.keptOutcomes.get();
  }

  /** The newest runs, all or those in one state. */
  async runs(state?: RunState): Promise<RunView[]> {
    return (await this.keptRuns.get(state)?.get()) ?? [];
  }

  /** The programs and stores, and their faults. */
  async installation(): Promise<FoundInstallation> {
    return this.keptInstallation.get();
  }

  /** Patterns of the newest runs of all gateways. */
  async problems(): Promise<Problem[]> {
    return this.keptProblems.get();
  }

  /** The last report of each gateway's site, by the gateway's number. */
  async reports(): Promise<ReadonlyMap<number, NewestReport>> {
    return this.keptReports.get();
  }

  /** Searches saved by operators. */
  async views(): Promise<SavedView[]> {
    return this.keptViews.get();
  }

  /** Enquiries that are not delivered. */
  async waitingLeads(): Promise<number> {
    return this.keptLeads.get();
  }

  /** The sizes of the database's tables. */
  async storage(): Promise<TableOnDisk[]> {
    return this.keptStorage.get();
  }

  onModuleDestroy(): void {
    for (const kept of this.all()) kept.stop();
  }

  /** These gateways, read now. */
  async fresh(ids: readonly number[]): Promise<GatewayRow[]> {
    return (await this.summaries.listOf(ids)).map((gateway) => this.toRow(gateway));
  }

  /** One gateway, read now; null when there is none. */
  async find(crm: string, client: string): Promise<GatewayRow | null> {
    const gateway = await this.summaries.find(crm, client);
    return gateway === null ? null : this.toRow(gateway);
  }

  /** An operator who has changed something sees the change immediately. */
  forget(): void {
    for (const kept of [this.kept, this.keptViews, ...this.keptRuns.values()]) kept.forget();
  }

  private all(): Kept<unknown>[] {
    const long = [this.keptOutcomes, this.keptProblems, this.keptReports, this.keptStorage];
    const short = [this.kept, this.keptInstallation, this.keptViews, this.keptLeads];
    return [...long, ...short, ...this.keptRuns.values()];
  }

  private async load(): Promise<AllGateways> {
    const rows = (await this.summaries.list()).map((gateway) => this.toRow(gateway));
    return new AllGateways(rows, this.clock());
  }

  private toRow(gateway: Parameters<typeof toGatewayRow>[0]): GatewayRow {
    return toGatewayRow(gateway, this.clock(), this.config.refreshEverySeconds);
  }
}
