import type { InboundWebhookUrl, WaitingWebhooks } from '@passerelle/database';
import type { WebhookProof } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { ActedGateway } from '@passerelle/operations';
import { gatewayPath, moment, table } from '../layout/elements';
import { csrfField, may, type Visit } from '../layout/page';

/** Number of days for which a replaced address keeps working. */
export const OVERLAP_DAYS = ['0', '1', '7', '30'] as const;
export type OverlapDays = (typeof OVERLAP_DAYS)[number];
export const USUAL_OVERLAP: OverlapDays = '7';

type Named = Pick<ActedGateway, 'crm' | 'client'>;

export interface InboundWebhooks {
  addresses: readonly Omit<InboundWebhookUrl, 'hasSecret'>[];
  waiting: WaitingWebhooks;
  /** How the CRM authenticates its webhooks; null when the CRM sends no webhooks. */
  proof: WebhookProof | null;
  refused?: TypedAddress;
}

export interface TypedAddress {
  secret: string;
  overlap: OverlapDays;
}

/** The URLs to which the CRM of a gateway sends webhooks, and the listings that wait for a run. */
export function inboundWebhooksSection(visit: Visit, gateway: Named, webhooks: InboundWebhooks): Html {
  const { texts } = visit.language;
  const { push, one, never } = texts;
  const { addresses, waiting, proof, refused } = webhooks;
  const waits =
    waiting.since === null
      ? push.noneWaits
      : push.waiting(waiting.listings, visit.language.relative(waiting.since, visit.now));
  const isOperator = may(visit, 'operator');
  return html`<p>${waits}</p>
    ${table(
      push.callAddresses,
      [
        { title: '', value: ({ id }) => id },
        { title: push.address, value: ({ prefix }) => html`<code>/in/${prefix}…</code>` },
        { title: one.made, value: ({ createdAt }) => moment(visit, createdAt) },
        { title: one.ends, value: ({ expiresAt }) => (expiresAt === null ? never : moment(visit, expiresAt)) },
        { title: '', value: ({ id }) => (isOperator ? closeForm(visit, gateway, id) : null) },
      ],
      addresses,
      texts.none,
    )}
    ${proof === null ? html`<p class="faint">${push.noCalls}</p>` : null}
    ${proof !== null && isOperator ? openForm(visit, gateway, proof, refused) : null}`;
}

function closeForm(visit: Visit, gateway: Named, id: number): Content {
  return html`<form class="acts" method="post" action="${gatewayPath(gateway)}/push">
    ${csrfField(visit)}<input type="hidden" name="id" value="${id}" /><button class="danger" name="act" value="close">
      ${visit.language.texts.push.close}
    </button>
  </form>`;
}

function openForm(visit: Visit, gateway: Named, { kind }: WebhookProof, typed?: TypedAddress): Html {
  const { push } = visit.language.texts;
  const { secret, overlap } = typed ?? { secret: '', overlap: USUAL_OVERLAP };
  const option = (days: OverlapDays): Html =>
    html`<option value="${days}" ${days === overlap ? html`selected` : null}>${push.overlaps[days]}</option>`;
  const secretField = html`<div>
    <label for="call-secret">${kind === 'basic' ? push.ownBasic : push.ownSecret}</label>
    <input id="call-secret" name="secret" maxlength="500" value="${secret}" />
  </div>`;
  return html`<form class="line" method="post" action="${gatewayPath(gateway)}/push" autocomplete="off">
    ${csrfField(visit)}
    <div>
      <label for="overlap">${push.overlap}</label>
      <select id="overlap" name="overlap">
        ${OVERLAP_DAYS.map(option)}
      </select>
    </div>
    ${kind === 'path' ? null : secretField}
    <button name="act" value="open">${push.open}</button>
  </form>`;
}
