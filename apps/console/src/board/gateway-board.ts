import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import {
  type ConnectorOutcomes,
  GatewaySummaries,
  type Problem,
  Problems,
  RunHistory,
  RunOutcomes,
} from '@passerelle/database';
import { RUN_STATES, type RunState, type RunView } from '@passerelle/domain';
import { brokenServices, type Finding, type GatewayRow, toGatewayRow } from '@passerelle/operations';
import type { ConsoleConfig } from '../config';
import { CLOCK, type Clock, CONFIG } from '../tokens';
import { Kept } from './kept';
import { Services } from './services';

/** Counts and lists are not older than this. */
const KEPT_MS = 10_000;
/** Of a day, and of what newest runs have in common, a minute more or less changes little, and much is read for it. */
const LONG_KEPT_MS = 60_000;
const DAY_HOURS = 24;
const SHOWN_RUNS = 100;
const SHOWN_PROBLEMS = 200;

/** Every gateway with its state, the newest runs, and what they have in common: a query of each for all who look, at most every ten seconds. */
@Injectable()
export class GatewayBoard implements OnModuleDestroy {
  private readonly kept: Kept<GatewayRow[]>;
  private readonly keptOutcomes: Kept<ConnectorOutcomes[]>;
  private readonly keptRuns: ReadonlyMap<RunState | undefined, Kept<RunView[]>>;
  private readonly keptServices: Kept<Finding[]>;
  private readonly keptProblems: Kept<Problem[]>;

  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly summaries: GatewaySummaries,
    runOutcomes: RunOutcomes,
    runHistory: RunHistory,
    problems: Problems,
    services: Services,
  ) {
    this.kept = new Kept(KEPT_MS, clock, () => this.load());
    this.keptOutcomes = new Kept(LONG_KEPT_MS, clock, () => runOutcomes.since(DAY_HOURS));
    this.keptRuns = new Map(
      [undefined, ...RUN_STATES].map((state) => [
        state,
        new Kept(KEPT_MS, clock, () => runHistory.list({ limit: SHOWN_RUNS, ...(state !== undefined && { state }) })),
      ]),
    );
    this.keptProblems = new Kept(LONG_KEPT_MS, clock, () => problems.list(SHOWN_PROBLEMS));
    this.keptServices = new Kept(KEPT_MS, clock, async () =>
      brokenServices({ ...(await services.facts()), rows: await this.rows() }),
    );
  }

  async rows(): Promise<GatewayRow[]> {
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

  /** What is broken beside the gateways. */
  async broken(): Promise<Finding[]> {
    return this.keptServices.get();
  }

  /** What the newest runs of all gateways have in common. */
  async problems(): Promise<Problem[]> {
    return this.keptProblems.get();
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
    this.kept.forget();
    for (const kept of this.keptRuns.values()) kept.forget();
  }

  private all(): Kept<unknown>[] {
    return [this.kept, this.keptOutcomes, this.keptProblems, this.keptServices, ...this.keptRuns.values()];
  }

  private async load(): Promise<GatewayRow[]> {
    return (await this.summaries.list()).map((gateway) => this.toRow(gateway));
  }

  private toRow(gateway: Parameters<typeof toGatewayRow>[0]): GatewayRow {
    return toGatewayRow(gateway, this.clock(), this.config.refreshEverySeconds);
  }
}
