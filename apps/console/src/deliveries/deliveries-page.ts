import type { LoggedDelivery } from '@passerelle/database';
import { DELIVERY_KINDS, type DeliveryKind } from '@passerelle/domain';
import { html, type Content } from '@passerelle/html';
import { badge, gatewayLink, gatewayPath, moment, notice, said, table } from '../layout/elements';
import { page, type Visit } from '../layout/page';

export const SHOWN_DELIVERIES = 200;

export const DELIVERY_TONES = { pending: 'warn', delivered: 'good', superseded: 'plain', failed: 'bad' } as const;

export function deliveriesPage(
  visit: Visit,
  kind: DeliveryKind,
  listed: readonly LoggedDelivery[],
  waiting: number,
): string {
  const { texts, number } = visit.language;
  const { deliveries } = texts;
  const stateOf = ({ state, way, endedAt }: LoggedDelivery): Content =>
    html`${badge(DELIVERY_TONES[state], way === null ? texts.push.messageStates[state] : deliveries.ways[way])}
    ${endedAt === null ? null : moment(visit, endedAt)}`;
  const subjectOf = ({ affId, type, ...gateway }: LoggedDelivery): Content =>
    affId === null
      ? html`<code>${type}</code>`
      : html`<a href="${gatewayPath(gateway)}/listings/${encodeURIComponent(affId)}"><code>${affId}</code></a>`;
  const problemOf = ({ error, answer }: LoggedDelivery): Content =>
    error === null ? null : html`${said(visit, error)} ${answer}`;
  return page(
    visit,
    texts.nav.deliveries,
    html`<p>${DELIVERY_KINDS.map((one) => kindLink(visit, one, one === kind))}</p>
      <p class="faint">${deliveries.intro[kind]}</p>
      ${waiting === 0 ? null : notice('warn', deliveries.waiting[kind](waiting))}
      ${table(
        deliveries.kinds[kind],
        [
          { title: deliveries.received, value: ({ at }) => moment(visit, at) },
          { title: texts.gateway, value: (one) => (one.channel === null ? gatewayLink(one) : one.channel) },
          { title: kind === 'lead' ? deliveries.listing : texts.push.event, value: subjectOf },
          { title: texts.state, value: stateOf },
          { title: texts.run.message, value: problemOf },
          { title: deliveries.tries, value: ({ tries }) => number(tries), isFigure: true },
          {
            title: deliveries.nextTry,
            value: ({ state, nextTryAt }) =>
              state !== 'pending' ? null : nextTryAt === null ? texts.now : moment(visit, nextTryAt),
          },
        ],
        listed,
        texts.nothing,
      )}
      ${listed.length < SHOWN_DELIVERIES ? null : html`<p class="faint">${texts.onlyFirst(SHOWN_DELIVERIES)}</p>`}`,
  );
}

function kindLink(visit: Visit, kind: DeliveryKind, isShown: boolean): Content {
  const name = visit.language.texts.deliveries.kinds[kind];
  return isShown ? html`<b>${name}</b> ` : html`<a href="/deliveries?kind=${kind}">${name}</a> `;
}
