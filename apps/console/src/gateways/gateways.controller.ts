import { Body, Controller, Get, HttpCode, Inject, Post, Query, Res } from '@nestjs/common';
import { AuditLog, GatewayEdits, Gateways, type Operator, Pauses, RunRequests } from '@passerelle/database';
import {
  type Actor,
  actorOfMany,
  BadValue,
  requestRun,
  filterRows,
  type GatewayRow,
  parseDuration,
  pause,
  Refused,
  resume,
  setGatewayEnabled,
} from '@passerelle/operations';
import { type AuditAct, type GatewayEdit, SecretBox } from '@passerelle/domain';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, numbersOf, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { PageRefusal } from '../access/page-refusal';
import { wordFilter } from '../access/filters';
import { type Visit, Visiting } from '../layout/page';
import { parsePause } from '../layout/pause-fields';
import { BULK_ACTS, type BulkAct, type Chosen, judgeChosen, MOST_AT_ONCE } from './bulk';
import { confirmPage, donePage } from './bulk-pages';
import { GatewayBoard } from '../board/gateway-board';
import type { ConsoleConfig } from '../config';
import { listPage } from './list-page';
import { parseListQuery } from './list-query';
import { CONFIG } from '../tokens';

/** A form identifies a thousand gateways, each with a word and a short digest. */
const MOST_SHOWN = MOST_AT_ONCE * 32;

/** The names of the acts in the audit. */
const AUDITED = {
  ...{ ingest: 'ingest', retry: 'retry', 'dry-run': 'ingest', pause: 'pause', resume: 'resume' },
  ...{ enable: 'gateway enable', disable: 'gateway disable', period: 'gateway set' },
} as const satisfies Record<BulkAct, AuditAct>;

const SCOPES = ['chosen', 'page', 'all'] as const;

@Controller('gateways')
export class GatewaysController {
  constructor(
    private readonly board: GatewayBoard,
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    private readonly edits: GatewayEdits,
    readonly gateways: Gateways,
    readonly runRequests: RunRequests,
    readonly pauses: Pauses,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@Visiting() visit: Visit, @Query() fields: Fields): Promise<string> {
    const query = parseListQuery(visit, fields);
    const [table, views, reports] = await Promise.all([this.board.table(), this.board.views(), this.board.reports()]);
    wordFilter(visit, fields, 'crm', table.crms);
    const found = filterRows(table.sorted(query.sort), query);
    if (query.isReversed) found.reverse();
    return listPage(visit, { query, found, views, reports, crms: table.crms, followUps: table.followUps });
  }

  /** Fixes the set of gateways by their ids: the selection, the gateways on the page, or all results of a search. */
  @Post('choose')
  @HttpCode(200)
  @Needs('operator')
  async choose(@Visiting() visit: Visit, @Body() body: Fields): Promise<string> {
    const { texts } = visit.language;
    const act = actOf(body);
    const { rows } = await this.board.table();
    const ids = new Set(numbersOf(body, 'ids'));
    const scope = wordOf(body, 'scope', SCOPES);
    const query = parseListQuery(visit, body);
    if (scope === 'page') for (const id of numbersOf(body, 'page-ids')) ids.add(id);
    const chosen = scope === 'all' ? filterRows(rows, query) : rows.filter(({ id }) => ids.has(id));
    if (chosen.length === 0) throw new PageRefusal(texts.bulk.none);
    if (chosen.length > MOST_AT_ONCE) throw new PageRefusal(texts.bulk.tooMany(MOST_AT_ONCE));
    return confirmPage(visit, { act, expected: query.state, rows: chosen });
  }

  /** Applies the action to the gateways that have not changed since they were shown, and names the others. */
  @Post('act')
  @HttpCode(200)
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const act = actOf(body);
    const chosen = chosenOfForm(body);
    const fresh = await this.board.fresh(chosen.map(({ id }) => id));
    const { fit, left } = judgeChosen(chosen, fresh, act);
    const reason = checkedReason(body, visit);
    const typed = { until: textOf(body, 'until'), reason };
    const wished = act === 'pause' ? parsePause(visit, typed) : null;
    if (wished !== null && 'problem' in wished) {
      void reply.status(422);
      const refused = { ...typed, sentence: wished.problem, wrong: wished.wrong };
      return confirmPage(visit, { act, expected: undefined, rows: fit, refused });
    }
    if (act === 'disable' && reason === '') {
      void reply.status(422);
      const refused = { ...typed, sentence: visit.language.texts.changeReasonMissing, wrong: 'reason' as const };
      return confirmPage(visit, { act, expected: undefined, rows: fit, refused });
    }
    const every = textOf(body, 'every', 20);
    let everySeconds: number | null = null;
    try {
      if (act === 'period' && every !== '') everySeconds = parseDuration('--every', every);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      void reply.status(422);
      const refused = { ...typed, every, sentence: error.problem, wrong: 'every' as const };
      return confirmPage(visit, { act, expected: undefined, rows: fit, refused });
    }
    const why = reason === '' ? {} : { reason };
    const self: Actor = { name: operator.name, through: 'console' };
    const actor = await actorOfMany(this, self, { act: AUDITED[act], gateways: fit.length, ...why });
    const done: GatewayRow[] = [];
    try {
      for (const row of fit) {
        try {
          if (act === 'period') await this.setPeriod(row, everySeconds, actor, reason);
          else if (wished === null) await this.actOn(row, act, actor, reason);
          else await pause(this, actor, { gateway: row }, wished);
          done.push(row);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          left.push({ id: row.id, row, why: 'changed', was: row.state });
        }
      }
    } finally {
      this.board.forget();
    }
    const hasRuns = act === 'ingest' || act === 'retry' || act === 'dry-run';
    return donePage(visit, act, { done, left, batch: hasRuns ? actor.partOf : undefined });
  }

  /** An ingestor stores the period, like every edit. */
  private async setPeriod(
    { id }: GatewayRow,
    everySeconds: number | null,
    { name: who, partOf }: Actor,
    reason: string,
  ): Promise<void> {
    const more = { ...(partOf !== undefined && { partOf }), ...(reason !== '' && { reason }) };
    const sealed = new SecretBox(this.config.secretsKey, this.config.secretsKeyOld).seal(
      JSON.stringify({ everySeconds } satisfies GatewayEdit),
    );
    await this.edits.request(id, 'change', sealed, { who, through: 'console', ...more });
  }

  private async actOn(row: GatewayRow, act: Exclude<BulkAct, 'period'>, actor: Actor, reason: string): Promise<void> {
    const why = reason === '' ? {} : { reason };
    if (act === 'enable' || act === 'disable') await setGatewayEnabled(this, actor, row, act === 'enable', why.reason);
    else if (act === 'resume') await resume(this, actor, { gateway: row }, why.reason);
    else
      await requestRun(this, actor, row, { act: act === 'retry' ? act : 'ingest', dryRun: act === 'dry-run', ...why });
  }
}

/** The gateways in a form, each with the text that records what the page showed. */
function chosenOfForm(body: Fields): Chosen[] {
  const shown = textOf(body, 'shown', MOST_SHOWN).split(',');
  return numbersOf(body, 'ids')
    .slice(0, MOST_AT_ONCE)
    .map((id, index) => ({ id, shown: shown[index] ?? '' }));
}

/** @throws Refused for a form without a valid action. */
function actOf(body: Fields): BulkAct {
  const act = wordOf(body, 'act', BULK_ACTS);
  if (act === undefined) throw new Refused('the form contains no valid action');
  return act;
}
