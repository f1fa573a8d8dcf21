import { Body, Controller, Get, Inject, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import type { Connector } from '@passerelle/connectors';
import { remap } from '@passerelle/connectors/operators';
import {
  AuditLog,
  ExportTokens,
  FollowUps,
  GatewayDays,
  GatewayEdits,
  Gateways,
  GatewaySummaries,
  KeptSnapshots,
  ListingTraces,
  type Operator,
  Operators,
  Pauses,
  RememberedFeeds,
  Reports,
  RevertGuards,
  RunHistory,
  RunRequests,
  SourceFeedback,
  WebhookEndpoints,
} from '@passerelle/database';
import {
  type Actor,
  requestRun,
  explainListing,
  type GatewayRow,
  pause,
  Refused,
  type Remap,
  resume,
  setGatewayEnabled,
  toFeedMemoryView,
  troubleOf,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { gatewayPath } from '../layout/elements';
import { type Visit, Visiting } from '../layout/page';
import { parsePause } from '../layout/pause-fields';
import { changeSince, SINGLE_ACTS, stateShown } from './bulk';
import { GatewayBoard } from '../board/gateway-board';
import { DECLARATIONS } from '../tokens';
import { CHART_DAYS } from './days-chart';
import { gatewayPage, type GatewayOverview } from './gateway-page';
import { listingPage } from './listing-page';

const SHOWN_RUNS = 20;
const SHOWN_CHANGES = 20;

interface Name {
  crm: string;
  client: string;
}

@Controller('gateways/:crm/:client')
export class GatewayController {
  constructor(
    @Inject(DECLARATIONS) private readonly declared: readonly Connector[],
    private readonly board: GatewayBoard,
    private readonly summaries: GatewaySummaries,
    private readonly exportTokens: ExportTokens,
    private readonly days: GatewayDays,
    private readonly reports: Reports,
    private readonly runHistory: RunHistory,
    private readonly traces: ListingTraces,
    private readonly webhooks: WebhookEndpoints,
    private readonly feedback: SourceFeedback,
    private readonly rememberedFeeds: RememberedFeeds,
    private readonly keptSnapshots: KeptSnapshots,
    private readonly revertGuards: RevertGuards,
    private readonly edits: GatewayEdits,
    private readonly followUps: FollowUps,
    private readonly operators: Operators,
    readonly gateways: Gateways,
    readonly runRequests: RunRequests,
    readonly pauses: Pauses,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async show(@Visiting() visit: Visit, @Param() name: Name): Promise<string> {
    return gatewayPage(visit, await this.load(await this.find(name)));
  }

  /** Redirects, because a form cannot put the typed text into a path. */
  @Get('listings')
  async findListing(@Param() name: Name, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const id = textOf(query, 'id', 200);
    const path = gatewayPath(name);
    await reply.redirect(id === '' ? path : `${path}/listings/${encodeURIComponent(id)}`, 303);
  }

  @Get('listings/:id')
  async why(@Visiting() visit: Visit, @Param() { crm, client, id }: Name & { id: string }): Promise<string> {
    const row = await this.find({ crm, client });
    const trace = await this.traces.trace(row.id, id);
    const view = explainListing({ id, crm, client }, trace, troubleOf(row, visit.now));
    const { affId, lastReading } = trace;
    const [changes, version, warnings] = await Promise.all([
      affId === null ? [] : this.traces.comparedChanges(row.id, affId, SHOWN_CHANGES),
      affId === null ? null : this.traces.version(row.id, affId),
      lastReading === null ? [] : this.runHistory.warnings(lastReading.runId),
    ]);
    const connector = this.declared.find(({ code }) => code === crm);
    const mapAgain: Remap = (record) => (connector === undefined ? null : remap(connector, row.settings ?? {}, record));
    return listingPage(visit, { view, changes, version, warnings, remap: mapAgain });
  }

  @Post('act')
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const row = await this.find(name);
    const act = wordOf(body, 'act', SINGLE_ACTS);
    if (act === undefined) throw new Refused('the form contains no valid action');
    const actor: Actor = { name: operator.name, through: 'console' };
    const reason = checkedReason(body, visit);
    const typed = { act, until: textOf(body, 'until'), reason };
    const shown = textOf(body, 'shown', 40);
    const change = changeSince(shown, row);
    if (change !== null) {
      const { one, states } = visit.language.texts;
      const was = states[stateShown(shown) ?? row.state];
      const refused = { ...typed, sentence: one[change](was, states[row.state]) };
      await reply.status(409).send(gatewayPage(visit, { ...(await this.load(row)), refused }));
      return;
    }
    if (act === 'pause') {
      const wished = parsePause(visit, typed);
      if ('problem' in wished) {
        const refused = { ...typed, sentence: wished.problem, wrong: wished.wrong };
        await reply.status(422).send(gatewayPage(visit, { ...(await this.load(row)), refused }));
        return;
      }
      await pause(this, actor, { gateway: row }, wished);
    } else if (act === 'resume') {
      await resume(this, actor, { gateway: row }, reason === '' ? undefined : reason);
    } else if (act === 'disable' && reason === '') {
      const refused = { ...typed, sentence: visit.language.texts.changeReasonMissing, wrong: 'reason' as const };
      await reply.status(422).send(gatewayPage(visit, { ...(await this.load(row)), refused }));
      return;
    } else if (act === 'enable' || act === 'disable') {
      await setGatewayEnabled(this, actor, row, act === 'enable', reason === '' ? undefined : reason);
    } else {
      await requestRun(this, actor, row, { act: act === 'retry' ? act : 'ingest', dryRun: act === 'dry-run' });
    }
    this.board.forget();
    await reply.redirect(gatewayPath(row), 303);
  }

  private async load(row: GatewayRow): Promise<GatewayOverview> {
    const { id, crm, client } = row;
    const [
      runs,
      days,
      keys,
      tokens,
      report,
      changes,
      webhooks,
      pendingFeedback,
      remembered,
      kept,
      guard,
      pendingEdits,
      followUp,
      operators,
    ] = await Promise.all([
      this.runHistory.list({ gatewayId: id, limit: SHOWN_RUNS }),
      this.days.list(id, CHART_DAYS),
      this.summaries.keys(id),
      this.exportTokens.list(id),
      this.reports.newest(id),
      this.audit.list({ crm, client, limit: SHOWN_CHANGES }),
      this.webhooks.list(id),
      this.feedback.waitingFor(id),
      this.rememberedFeeds.find(id),
      this.keptSnapshots.list(id),
      this.revertGuards.find(id),
      this.edits.waiting(id),
      this.followUps.find(id),
      this.operators.list(),
    ]);
    const disabledWebhooks = webhooks.filter(({ disabledAt }) => disabledAt !== null).length;
    // Removed meanwhile.
    if (remembered === null) throw new NotFoundException();
    const memory = toFeedMemoryView(remembered, row);
    return {
      row,
      runs,
      days,
      keys,
      tokens,
      report,
      changes,
      disabledWebhooks,
      pendingFeedback,
      memory,
      kept,
      guard,
      pendingEdits,
      followUp: {
        followUp,
        operators: operators.flatMap(({ name, disabledAt }) => (disabledAt === null ? [name] : [])),
      },
    };
  }

  private async find({ crm, client }: Name): Promise<GatewayRow> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    return row;
  }
}
