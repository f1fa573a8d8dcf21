import { Body, Controller, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import { AuditLog, KeptSnapshots, type Operator, RevertGuards, RunComparison, RunRequests } from '@passerelle/database';
import { type Actor, type GatewayRow, Refused, releaseGateway, revertGateway } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import { gatewayPath } from '../layout/elements';
import { revertPage } from './snapshots-section';
import { type Visit, Visiting } from '../layout/page';

const SHOWN_CARDS = 30;

interface Name {
  crm: string;
  client: string;
}

@Controller('gateways/:crm/:client')
export class SnapshotsController {
  constructor(
    private readonly board: GatewayBoard,
    private readonly comparison: RunComparison,
    readonly keptSnapshots: KeptSnapshots,
    readonly revertGuards: RevertGuards,
    readonly runRequests: RunRequests,
    readonly audit: AuditLog,
  ) {}

  /** Shows the listings that would come, go and change. */
  @Get('revert')
  @Needs('operator')
  async preview(@Visiting() visit: Visit, @Param() name: Name, @Query() query: Fields): Promise<string> {
    const row = await this.find(name);
    const token = textOf(query, 'to', 40);
    const earlier = (await this.keptSnapshots.list(row.id)).filter(({ isCurrent }) => !isCurrent);
    const target = token === '' ? earlier[0] : earlier.find((one) => one.token === token);
    if (target === undefined) throw new NotFoundException();
    return revertPage(visit, row, target, await this.comparison.revertPreview(row.id, target.id, SHOWN_CARDS));
  }

  /** Redirects to the requested run. */
  @Post('revert')
  @Needs('operator')
  async revert(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [to, reason] = [textOf(body, 'to', 40), checkedReason(body, visit)];
    if (reason === '') throw new Refused('the reason is missing: it is kept with the run');
    const runId = await revertGateway(this, actorOf(operator), await this.find(name), { to, reason });
    this.board.forget();
    await reply.redirect(`/runs/${runId}`, 303);
  }

  @Post('release')
  @Needs('operator')
  async release(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const row = await this.find(name);
    const reason = checkedReason(body, visit);
    await releaseGateway(this, actorOf(operator), row, reason === '' ? undefined : reason);
    this.board.forget();
    await reply.redirect(gatewayPath(row), 303);
  }

  private async find({ crm, client }: Name): Promise<GatewayRow> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    return row;
  }
}

function actorOf({ name }: Operator): Actor {
  return { name, through: 'console' };
}
