import { Body, Controller, Post, Res } from '@nestjs/common';
import { AuditLog, type Operator, SavedViews } from '@passerelle/database';
import { type Actor, removeView, Refused, saveView } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, textOf, wordOf } from '../access/form';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import { type Visit, Visiting } from '../layout/page';
import { listPath, parseListQuery } from './list-query';

/** Searches that operators save under a name, for all operators. */
@Controller('gateways/views')
export class SavedViewsController {
  constructor(
    private readonly board: GatewayBoard,
    readonly savedViews: SavedViews,
    readonly audit: AuditLog,
  ) {}

  /** The search is parsed and formatted again, so that only a valid search is saved. */
  @Post()
  @Needs('operator')
  async change(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const act = wordOf(body, 'act', ['save', 'remove'] as const);
    if (act === undefined) throw new Refused('the form contains no valid action');
    const actor: Actor = { name: operator.name, through: 'console' };
    const name = textOf(body, 'name', 60);
    const path = listPath({ ...parseListQuery(visit, body), page: 1 });
    if (act === 'save') await saveView(this, actor, { name, query: path.split('?')[1] ?? '' });
    else await removeView(this, actor, name);
    this.board.forget();
    await reply.redirect(path, 303);
  }
}
