import { Controller, Get, Query, Res } from '@nestjs/common';
import { ListingTraces } from '@passerelle/database';
import { type Html, html } from '@passerelle/html';
import { explainListing, troubleOf, type WhyView } from '@passerelle/operations';
import type { FastifyReply } from 'fastify';
import { type Fields, textOf } from '../access/form';
import { GatewayBoard } from '../board/gateway-board';
import { badge, gatewayLink, gatewayPath, said, table } from '../layout/elements';
import { page, type Visit, Visiting } from '../layout/page';
import { LISTING_TONES } from './listing-page';

/** The limit of shown gateways: many gateways have a listing with an identifier such as 1. */
const MOST = 20;

@Controller('listings')
export class FoundListingsController {
  constructor(
    private readonly board: GatewayBoard,
    private readonly traces: ListingTraces,
  ) {}

  /** Redirects to the listing when only one gateway has it. */
  @Get()
  async find(@Visiting() visit: Visit, @Query() query: Fields, @Res() reply: FastifyReply): Promise<void> {
    const id = textOf(query, 'id', 200);
    const ids = id === '' ? [] : await this.traces.gatewaysWith(id, MOST + 1);
    const found = await this.board.fresh(ids);
    // Gateways that serve the listing come first.
    const rows = ids.flatMap((gatewayId) => found.find((row) => row.id === gatewayId) ?? []);
    const [only] = rows;
    if (only !== undefined && rows.length === 1) {
      await reply.redirect(`${gatewayPath(only)}/listings/${encodeURIComponent(id)}`, 303);
      return;
    }
    const views = await Promise.all(
      rows.slice(0, MOST).map(async (row) => {
        const { crm, client } = row;
        return explainListing({ id, crm, client }, await this.traces.trace(row.id, id), troubleOf(row, visit.now));
      }),
    );
    await reply.send(foundPage(visit, id, views, rows.length > MOST));
  }
}

function foundPage(visit: Visit, id: string, views: readonly WhyView[], hasMore: boolean): string {
  const { texts } = visit.language;
  return page(
    visit,
    texts.one.findListing,
    html`${findForm(visit, id)}
    ${table<WhyView>(
      texts.one.findListing,
      [
        { title: texts.gateway, value: gatewayLink },
        {
          title: html`<code>${id}</code>`,
          label: id,
          value: (view) =>
            html`<a href="${gatewayPath(view)}/listings/${encodeURIComponent(id)}">${view.aff_id ?? id}</a>`,
        },
        { title: texts.state, value: ({ state }) => badge(LISTING_TONES[state], texts.why.states[state]) },
        { title: texts.reason, value: ({ explanation }) => said(visit, explanation) },
      ],
      views,
      id === '' ? '' : texts.one.nowhere,
    )}
    ${hasMore ? html`<p class="faint">${texts.one.moreGateways(MOST)}</p>` : null}`,
  );
}

export function findForm({ language: { texts } }: Visit, id = ''): Html {
  return html`<form class="line" method="get" action="/listings" role="search" aria-label="${texts.one.findListing}">
    <div>
      <label for="listing">${texts.one.findListing}${texts.colon}${texts.one.findListingHint}</label>
      <input id="listing" name="id" required maxlength="200" value="${id}" />
    </div>
    <button class="second">${texts.one.find}</button>
  </form>`;
}
