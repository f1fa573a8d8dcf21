import { Body, Controller, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import {
  AuditLog,
  type Operator,
  type Placement,
  PLACEMENT_TROUBLES,
  Placements,
  Publications,
} from '@passerelle/database';
import { approvePlacement, Refused, switchPlacement } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, numberOf, textOf, wordOf } from '../access/form';
import { wordFilter } from '../access/filters';
import { Needs, SignedIn } from '../access/operator.guard';
import { type Visit, Visiting } from '../layout/page';
import { exportsPage, placementPage, SHOWN_PLACEMENTS } from './exports-page';

const ACTS = ['pause', 'resume', 'approve'] as const;

/** Placements of gateways at portals. */
@Controller('exports')
export class ExportsController {
  constructor(
    readonly placements: Placements,
    readonly publications: Publications,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async list(@Visiting() visit: Visit, @Query() query: Fields): Promise<string> {
    const only = wordFilter(visit, query, 'only', PLACEMENT_TROUBLES);
    const pageNumber = Math.min(numberOf(textOf(query, 'page', 20)) ?? 1, 10_000);
    const filter = only === undefined ? {} : { only };
    const [placements, total] = await Promise.all([
      this.placements.list(filter, (pageNumber - 1) * SHOWN_PLACEMENTS, SHOWN_PLACEMENTS),
      this.placements.count(filter),
    ]);
    return exportsPage(visit, { only, pageNumber, total, placements });
  }

  @Get(':id')
  async show(@Visiting() visit: Visit, @Param('id') id: string): Promise<string> {
    return placementPage(visit, await this.find(id));
  }

  @Post(':id')
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param('id') id: string,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const placement = await this.find(id);
    const actor = { name: operator.name, through: 'console' } as const;
    const act = wordOf(body, 'act', ACTS);
    try {
      if (act === undefined) throw new Refused('the form contains no valid action');
      if (act === 'approve') {
        const reason = checkedReason(body, visit);
        if (reason === '') throw new Refused(visit.language.texts.exports.reasonMissing);
        await approvePlacement(this, actor, placement, reason);
      } else await switchPlacement(this, actor, placement, act === 'resume');
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await reply.status(422).send(placementPage(visit, await this.find(id), error.message));
      return;
    }
    await reply.redirect(`/exports/${placement.id}`, 303);
  }

  private async find(text: string): Promise<Placement> {
    const id = numberOf(text);
    const placement = id === undefined ? null : await this.placements.find(id);
    if (placement === null) throw new NotFoundException();
    return placement;
  }
}
