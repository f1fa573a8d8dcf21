import { Body, Controller, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import {
  Announcements,
  AuditLog,
  HeldRuns,
  type Operator,
  PublishRefused,
  RunComparison,
  RunHistory,
  RunRequests,
} from '@passerelle/database';
import { RUN_STATES, type RunView } from '@passerelle/domain';
import {
  type Actor,
  cancelRun,
  decideRun,
  commonAffixes,
  heldForChangedMapping,
  loadShownRun,
  publishChangedMappings,
  toRejectionView,
} from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { gatewayFilter, untilFilter, wordFilter } from '../access/filters';
import { type Fields, LONGEST_REASON, numberOf, reasonIn, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard, SHOWN_RUNS } from '../board/gateway-board';
import { type Visit, Visiting } from '../layout/page';
import { batchPage } from './batch-page';
import { runPage, type RunToShow } from './run-page';
import { type RefusedRuns, type RunSearch, runsPage } from './runs-page';

const SHOWN_CARDS = 30;
/** The most gateways of one action. */
const MOST_OF_BATCH = 1_000;
const SHOWN_REJECTIONS = 100;
/** Enough identifiers to find the part that half of them share. */
const COMPARED_IDS = 20_000;

@Controller('runs')
export class RunsController {
  constructor(
    private readonly board: GatewayBoard,
    private readonly comparison: RunComparison,
    readonly announcements: Announcements,
    readonly runHistory: RunHistory,
    readonly runRequests: RunRequests,
    readonly heldRuns: HeldRuns,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@Visiting() visit: Visit, @Query() query: Fields): Promise<string> {
    const state = wordFilter(visit, query, 'state', RUN_STATES);
    const wanted: RunSearch = {
      ...(state !== undefined && { state }),
      ...gatewayFilter(visit, query),
      ...untilFilter(visit, query),
    };
    const { crm, until, beforeId } = wanted;
    const isNewest = crm === undefined && until === undefined && beforeId === undefined;
    const runs = isNewest ? await this.board.runs(state) : await this.search(wanted);
    return runsPage(visit, wanted, runs, state === 'held' ? await heldForChangedMapping(this) : []);
  }

  /** The runs of one action on many gateways. */
  @Get('batches/:id')
  async batch(@Visiting() visit: Visit, @Param('id') id: string): Promise<string> {
    const partOf = numberOf(id);
    const runs = partOf === undefined ? [] : await this.runHistory.list({ partOf, limit: MOST_OF_BATCH });
    if (runs.length === 0) throw new NotFoundException();
    return batchPage(visit, runs);
  }

  /**
   * Publishes all runs that are held only for a changed mapping. Runs that were held after the page was shown stay held,
   * because the operator has not seen them.
   */
  @Post('publish-all')
  @Needs('operator')
  async publishAll(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const reason = textOf(body, 'reason');
    const show = async (status: number, refused: RefusedRuns): Promise<void> => {
      const [runs, held] = await Promise.all([this.board.runs('held'), heldForChangedMapping(this)]);
      await reply.status(status).send(runsPage(visit, { state: 'held' }, runs, held, refused));
    };
    const upTo = numberOf(textOf(body, 'upTo'));
    if (reason === '' || upTo === undefined) {
      await show(422, { sentences: [visit.language.texts.reasonMissing], isReason: true });
      return;
    }
    const { refused } = await publishChangedMappings(this, actorOf(operator), reason, upTo);
    this.board.forget();
    if (refused.length === 0) await reply.redirect('/runs?state=held', 303);
    else await show(409, { sentences: refused.map(({ why }) => why), isReason: false });
  }

  @Get(':id')
  async show(@Visiting() visit: Visit, @Param('id') id: string): Promise<string> {
    return runPage(visit, await this.load(await this.find(id)));
  }

  /** Publishes or discards a held run. A refusal is shown on the page of the run, with the typed values. */
  @Post(':id/decide')
  @Needs('operator')
  async decide(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param('id') id: string,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const run = await this.find(id);
    const reason = reasonIn(body);
    const verdict = wordOf(body, 'verdict', ['publish', 'discard'] as const);
    const refuse = async (status: number, sentence: string): Promise<void> => {
      await reply.status(status).send(runPage(visit, { ...(await this.load(run)), refused: { reason, sentence } }));
    };
    const { reasonMissing, risk } = visit.language.texts;
    if (reason === '' || verdict === undefined || reason.length > LONGEST_REASON) {
      const isLong = reason.length > LONGEST_REASON;
      await refuse(422, isLong ? risk.tooLong(LONGEST_REASON, reason.length) : reasonMissing);
      return;
    }
    try {
      await decideRun(this, actorOf(operator), run, verdict, reason);
    } catch (error) {
      if (!(error instanceof PublishRefused)) throw error;
      await refuse(409, error.message);
      return;
    }
    this.board.forget();
    await reply.redirect(`/runs/${run.id}`, 303);
  }

  @Post(':id/cancel')
  @Needs('operator')
  async cancel(@SignedIn() operator: Operator, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    const run = await this.find(id);
    await cancelRun(this, actorOf(operator), run);
    this.board.forget();
    await reply.redirect(`/runs/${run.id}`, 303);
  }

  private async search({ crm, client, ...wanted }: RunSearch): Promise<RunView[]> {
    if (crm === undefined || client === undefined) return this.runHistory.list({ ...wanted, limit: SHOWN_RUNS });
    const gateway = await this.board.find(crm, client);
    return gateway === null ? [] : this.runHistory.list({ ...wanted, gatewayId: gateway.id, limit: SHOWN_RUNS });
  }

  private async find(text: string): Promise<RunView> {
    const id = numberOf(text);
    const run = id === undefined ? null : await this.runHistory.find(id);
    if (run === null) throw new NotFoundException();
    return run;
  }

  private async load({ id }: RunView): Promise<RunToShow> {
    const run = await this.find(String(id));
    const shown = await loadShownRun(this, run, 'none');
    const held = await this.comparison.heldList(id);
    const isHeld = held !== null;
    const [before, cards, ids, groups, rejections] = await Promise.all([
      held === null ? this.comparison.before(id) : this.comparison.served(held.gatewayId),
      isHeld ? this.comparison.heldCards(id, SHOWN_CARDS) : [],
      isHeld ? this.comparison.heldIds(id, COMPARED_IDS) : [],
      this.runHistory.rejectionGroups(id, SHOWN_REJECTIONS),
      this.runHistory.rejections(id, SHOWN_REJECTIONS),
    ]);
    const shared = ids.flatMap(({ kind, ids: all }) =>
      commonAffixes(all).map((part) => ({ ...part, kind, all: all.length })),
    );
    return { run: shown, before, held, cards, shared, groups, rejections: rejections.map(toRejectionView) };
  }
}

function actorOf({ name }: Operator): Actor {
  return { name, through: 'console' };
}
