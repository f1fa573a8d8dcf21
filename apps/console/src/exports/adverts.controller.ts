import { Body, Controller, Get, NotFoundException, Param, Post, Query, Res } from '@nestjs/common';
import { AuditLog, type Operator, Placements, Publications } from '@passerelle/database';
import { PUBLICATION_STATES } from '@passerelle/domain';
import { type GatewayRow, Refused, retryPublications, withdrawPublication } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { checkedReason, type Fields, numberOf, textOf, wordOf } from '../access/form';
import { wordFilter } from '../access/filters';
import { Needs, SignedIn } from '../access/operator.guard';
import { GatewayBoard } from '../board/gateway-board';
import { gatewayPath } from '../layout/elements';
import { type Visit, Visiting } from '../layout/page';
import { advertsPage, type AdvertsToShow } from './adverts-page';

const SHOWN_LISTINGS = 50;
/** More placements of one gateway are not shown in the cells of one page. */
const MOST_CELLS = 5_000;
const MOST_CHOSEN = 500;
const ACTS = ['retry', 'withdraw'] as const;

interface Name {
  crm: string;
  client: string;
}

/** The adverts of a gateway at all its portals. */
@Controller('gateways/:crm/:client/adverts')
export class AdvertsController {
  constructor(
    private readonly board: GatewayBoard,
    readonly placements: Placements,
    readonly publications: Publications,
    readonly audit: AuditLog,
  ) {}

  @Get()
  async show(@Visiting() visit: Visit, @Param() name: Name, @Query() query: Fields): Promise<string> {
    const gateway = await this.find(name);
    const changed = numberOf(textOf(query, 'changed', 10));
    const sentence = changed === undefined ? null : visit.language.texts.exports.done(changed);
    const shown = await this.load(visit, gateway, query);
    return advertsPage(visit, sentence === null ? shown : { ...shown, notice: { tone: 'good', sentence } });
  }

  /** Sends the chosen adverts again, or takes them offline. */
  @Post()
  @Needs('operator')
  async act(
    @Visiting() visit: Visit,
    @SignedIn() operator: Operator,
    @Param() name: Name,
    @Body() body: Fields,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const gateway = await this.find(name);
    const { exports } = visit.language.texts;
    try {
      const act = wordOf(body, 'act', ACTS);
      if (act === undefined) throw new Refused('the form contains no valid action');
      const reason = checkedReason(body, visit);
      if (act === 'withdraw' && reason === '') throw new Refused(exports.reasonMissing);
      const chosen = chosenAdverts(body);
      if (chosen.length === 0) throw new Refused(exports.noneChosen);
      const known = new Map((await this.placements.list(nameOf(gateway))).map((one) => [one.id, one]));
      const actor = { name: operator.name, through: 'console' } as const;
      for (const { id, affId } of chosen) {
        const placement = known.get(id);
        if (placement === undefined) throw new Refused('the form contains no valid action');
        if (act === 'retry') await retryPublications(this, actor, placement, affId);
        else await withdrawPublication(this, actor, placement, affId, reason);
      }
      await reply.redirect(`${gatewayPath(gateway)}/adverts?changed=${chosen.length}`, 303);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const notice = { tone: 'bad', sentence: error.message } as const;
      await reply.status(422).send(advertsPage(visit, { ...(await this.load(visit, gateway, {})), notice }));
    }
  }

  private async load(visit: Visit, gateway: GatewayRow, query: Fields): Promise<AdvertsToShow> {
    const placement = numberOf(textOf(query, 'placement', 20));
    const state = wordFilter(visit, query, 'state', PUBLICATION_STATES);
    const listing = textOf(query, 'listing', 200);
    const pageNumber = Math.min(numberOf(textOf(query, 'page', 20)) ?? 1, 10_000);
    const filter = {
      gatewayId: gateway.id,
      ...(placement !== undefined && { placement }),
      ...(state !== undefined && { state }),
      ...(listing !== '' && { affId: listing }),
    };
    const [placements, { affIds, total }] = await Promise.all([
      this.placements.list(nameOf(gateway)),
      this.publications.listings(filter, (pageNumber - 1) * SHOWN_LISTINGS, SHOWN_LISTINGS),
    ]);
    const publications = await this.publications.list({ gatewayId: gateway.id, affIds }, 0, MOST_CELLS);
    const nextQuery = new URLSearchParams({
      ...{ placement: String(placement ?? ''), state: state ?? '', listing, page: String(pageNumber + 1) },
    });
    const isMore = pageNumber * SHOWN_LISTINGS < total;
    return {
      ...{ gateway, placements, affIds, publications, total, wanted: { placement, state, listing } },
      next: isMore ? `${gatewayPath(gateway)}/adverts?${nextQuery.toString()}` : null,
    };
  }

  private async find({ crm, client }: Name): Promise<GatewayRow> {
    const row = await this.board.find(crm, client);
    if (row === null) throw new NotFoundException();
    return row;
  }
}

function nameOf({ crm, client }: GatewayRow): Name {
  return { crm, client };
}

/** The adverts whose boxes are checked: `PLACEMENT:affId`, each once. */
function chosenAdverts(body: Fields): { id: number; affId: string }[] {
  const value = Object.hasOwn(body, 'advert') ? body['advert'] : undefined;
  const texts = new Set([value].flat().filter((one) => typeof one === 'string'));
  return [...texts].slice(0, MOST_CHOSEN).flatMap((text) => {
    const [, id = '', affId = ''] = /^([1-9]\d{0,14}):([^\0]{1,500})$/s.exec(text) ?? [];
    return affId === '' ? [] : [{ id: Number(id), affId }];
  });
}
