import type { HeldListingSummary } from '@passerelle/database';
import { type Content, type Html, html } from '@passerelle/html';
import { gatewayPath, section } from '../layout/elements';
import type { Visit } from '../layout/page';

interface NamedGateway {
  crm: string;
  client: string;
}

/** The listings that would be removed, added and changed, with their titles. @param counts of all, also those not shown */
export function cardSections(
  visit: Visit,
  gateway: NamedGateway,
  counts: Readonly<Record<HeldListingSummary['kind'], number>>,
  cards: readonly HeldListingSummary[],
): Content {
  const { texts } = visit.language;
  return (['removed', 'added', 'changed'] as const).map((kind) => {
    const shown = cards.filter((card) => card.kind === kind);
    if (shown.length === 0) return null;
    const more = counts[kind] - shown.length;
    return section(
      texts.run.would[kind](counts[kind]),
      html`<ul class="listings">
          ${shown.map((card) => cardOf(visit, gateway, card))}
        </ul>
        ${more > 0 ? html`<p class="faint">${texts.run.more(more)}</p>` : null}`,
    );
  });
}

function cardOf(
  { language }: Visit,
  gateway: NamedGateway,
  { affId, title, place, price, rent, currency, photo }: HeldListingSummary,
): Html {
  const rentText = rent === null ? null : `${language.money(rent, currency)} ${language.texts.run.perMonth}`;
  const amount = price === null ? rentText : language.money(price, currency);
  const isWeb = photo !== null && photo.startsWith('https://');
  return html`<li>
    ${isWeb ? html`<img src="${photo}" alt="" loading="lazy" referrerpolicy="no-referrer" />` : null}
    <div>
      <a href="${gatewayPath(gateway)}/listings/${encodeURIComponent(affId)}">${title ?? affId}</a><br />
      ${amount === null ? null : html`<strong>${amount}</strong> `}<span class="faint"
        >${[place, affId].filter(Boolean).join(' · ')}</span
      >
    </div>
  </li>`;
}
