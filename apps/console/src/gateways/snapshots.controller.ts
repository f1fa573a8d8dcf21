import { Body, Controller, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { AuditLog, KeptSnapshots, type Operator, RevertGuards, RunRequests } from '@passerelle/database';
import { type Actor, type GatewayRow, Refused, releaseGateway, revertGateway } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, textOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import { gatewayPath } from '../layout/elements';
import { type Visit, Visiting } from '../layout/page';

interface Name {
  crm: string;
  client: string;
}

@Controller('gateways/:crm/:client')
export class SnapshotsController {
  constructor(
    private readonly board: GatewayBoard,
    readonly keptSnapshots: KeptSnapshots,
    readonly revertGuards: RevertGuards,
    readonly runRequests: RunRequests,
    readonly audit: AuditLog,
  ) {}

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
