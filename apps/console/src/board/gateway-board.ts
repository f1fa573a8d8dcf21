import { Inject, Injectable } from '@nestjs/common';
import { GatewaySummaries } from '@passerelle/database';
import { type GatewayRow, toGatewayRow } from '@passerelle/operations';
import type { ConsoleConfig } from '../config';
import { CLOCK, type Clock, CONFIG } from '../tokens';

/** Counts and lists are not older than this. */
const KEPT_MS = 10_000;

/** Every gateway with its state: one query for all who look, at most every ten seconds. */
@Injectable()
export class GatewayBoard {
  private kept: { rows: Promise<GatewayRow[]>; atMs: number } | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly summaries: GatewaySummaries,
  ) {}

  async rows(): Promise<GatewayRow[]> {
    const atMs = this.clock().getTime();
    if (this.kept !== null && atMs - this.kept.atMs < KEPT_MS) return this.kept.rows;
    const rows = this.load();
    this.kept = { rows, atMs };
    rows.catch(() => {
      this.forget();
    });
    return rows;
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
    this.kept = null;
  }

  private async load(): Promise<GatewayRow[]> {
    return (await this.summaries.list()).map((gateway) => this.toRow(gateway));
  }

  private toRow(gateway: Parameters<typeof toGatewayRow>[0]): GatewayRow {
    return toGatewayRow(gateway, this.clock(), this.config.refreshEverySeconds);
  }
}
