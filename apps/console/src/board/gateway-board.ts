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

/** Counts and lists are not older than this. */
const KEPT_MS = 10_000;
/** Of a day, and of what newest runs and reports have in common, a minute more or less changes little, and much is read for it. */
const LONG_KEPT_MS = 60_000;
const DAY_HOURS = 24;
export const SHOWN_RUNS = 100;
const SHOWN_PROBLEMS = 200;

/**
 * What pages show that refresh themselves: every gateway with its state, the newest runs, what they have in common. A query of each
 * for all who look, at most every ten seconds.
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

  /** The newest runs, all or those in a state. */
  async runs(state?: RunState): Promise<RunView[]> {
    return (await this.keptRuns.get(state)?.get()) ?? [];
  }

  /** The programs and stores beside the gateways, and what of them is broken. */
  async installation(): Promise<FoundInstallation> {
    return this.keptInstallation.get();
  }

  /** What the newest runs of all gateways have in common. */
  async problems(): Promise<Problem[]> {
    return this.keptProblems.get();
  }

  /** What the site of each gateway reported last, by the gateway's number. */
  async reports(): Promise<ReadonlyMap<number, NewestReport>> {
    return this.keptReports.get();
  }

  /** Searches that operators have kept. */
  async views(): Promise<SavedView[]> {
    return this.keptViews.get();
  }

  /** Enquiries that have not been delivered. */
  async waitingLeads(): Promise<number> {
    return this.keptLeads.get();
  }

  /** What the tables of the database take. */
  async storage(): Promise<TableOnDisk[]> {
    return this.keptStorage.get();
  }

  onModuleDestroy(): void {
    for (const kept of this.all()) kept.stop();
  }

  /** Of these gateways, as they are now. */
  async fresh(ids: readonly number[]): Promise<GatewayRow[]> {
    return (await this.summaries.listOf(ids)).map((gateway) => this.toRow(gateway));
  }

  /** One as it is now; null when there is none. */
  async find(crm: string, client: string): Promise<GatewayRow | null> {
    const gateway = await this.summaries.find(crm, client);
    return gateway === null ? null : this.toRow(gateway);
  }

  /** Who has changed something sees it at once. */
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
