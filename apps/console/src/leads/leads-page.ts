import type { ListedLead } from '@passerelle/database';
import { html, type Part } from '@passerelle/html';
import { badge, gatewayLink, gatewayPath, moment, notice, said, table } from '../layout/parts';
import { page, type Visit } from '../layout/page';

/** Those that wait first, with what they wait for. */
export function leadsPage(visit: Visit, listed: readonly ListedLead[], waiting: number): string {
  const { texts, number } = visit.language;
  const { leads } = texts;
  const stateOf = ({ way, deliveredAt }: ListedLead): Part =>
    way === null ? badge('warn', leads.waits) : html`${badge('good', leads.ways[way])} ${moment(visit, deliveredAt)}`;
  const listingOf = ({ affId, ...gateway }: ListedLead): Part =>
    affId === null
      ? null
      : html`<a href="${gatewayPath(gateway)}/listings/${encodeURIComponent(affId)}"><code>${affId}</code></a>`;
  return page(
    visit,
    texts.nav.leads,
    html`<p class="faint">${leads.intro}</p>
      ${waiting === 0 ? null : notice('warn', leads.waiting(waiting))}
      ${table(
        texts.nav.leads,
        [
          { title: leads.received, value: ({ receivedAt }) => moment(visit, receivedAt) },
          { title: texts.gateway, value: gatewayLink },
          { title: leads.listing, value: listingOf },
          { title: texts.state, value: stateOf },
          { title: texts.run.message, value: ({ error }) => (error === null ? null : said(visit, error)) },
          { title: leads.tries, value: ({ tries }) => number(tries), isFigure: true },
          {
            title: leads.nextTry,
            value: ({ deliveredAt, nextTryAt }) =>
              deliveredAt !== null ? null : nextTryAt === null ? texts.now : moment(visit, nextTryAt),
          },
        ],
        listed,
        texts.nothing,
      )}`,
  );
}
