import type { LoggedDelivery, WebhookEndpoint } from '@passerelle/database';
import { MAX_WEBHOOK_URL_CHARACTERS, WEBHOOK_EVENTS, type WebhookEvent } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import type { ActedGateway } from '@passerelle/operations';
import { DELIVERY_TONES } from '../deliveries/deliveries-page';
import { badge, gatewayLink, gatewayPath, moment, notice, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';
import { type InboundWebhooks, inboundWebhooksSection, type TypedAddress } from './inbound-webhooks-section';

export const PUSH_ACTS = ['add', 'test', 'rotate', 'remove', 'replay', 'open', 'close'] as const;
type PushAct = (typeof PUSH_ACTS)[number];

type Named = Pick<ActedGateway, 'crm' | 'client'>;

export interface Push extends InboundWebhooks {
  gateway: Named;
  webhooks: readonly WebhookEndpoint[];
  deliveries: readonly LoggedDelivery[];
  refused?: TypedPush & { sentence: string };
}

export interface TypedPush extends TypedAddress {
  url: string;
  events: readonly WebhookEvent[];
}

export function pushPage(visit: Visit, push: Push): string {
  const { push: texts } = visit.language.texts;
  const { gateway, webhooks, deliveries, refused } = push;
  const disabled = webhooks.filter(({ disabledAt }) => disabledAt !== null).length;
  return page(
    visit,
    texts.title,
    html`${refused === undefined ? null : notice('bad', refused.sentence)}
      ${disabled === 0 ? null : notice('bad', texts.disabledNotice(disabled))}
      <p>${gatewayLink(gateway)}</p>
      <p class="faint">${texts.intro}</p>
      ${section(
        texts.webhooks,
        html`${webhooksTable(visit, gateway, webhooks)}
        ${may(visit, 'operator') ? addForm(visit, gateway, refused) : null}`,
      )}
      ${section(
        texts.messages,
        html`<p class="faint">${texts.messagesHint}</p>
          ${messagesTable(visit, gateway, deliveries)}`,
      )}
      ${section(texts.calls, inboundWebhooksSection(visit, gateway, push))}`,
  );
}

/** Generated secrets, shown only once, each in a line that names it. */
export function secretPage(
  visit: Visit,
  gateway: Named,
  made: readonly (readonly [name: string, secret: string])[],
): string {
  const { push: texts } = visit.language.texts;
  return page(
    visit,
    texts.title,
    html`${made.map(
        ([name, secret]) =>
          html`${notice('good', name)}
            <p><code class="secret">${secret}</code></p>`,
      )}
      <p><a href="${pushPath(gateway)}">${texts.back}</a></p>`,
  );
}

export function pushPath(gateway: Named): string {
  return `${gatewayPath(gateway)}/push`;
}

function webhooksTable(visit: Visit, gateway: Named, webhooks: readonly WebhookEndpoint[]): Html {
  const { push: texts, state, none } = visit.language.texts;
  return table(
    texts.webhooks,
    [
      { title: '', value: ({ id }) => id },
      { title: texts.address, value: ({ url }) => html`<code>${url}</code>` },
      { title: texts.events, value: ({ events }) => html`<code>${events.join(' ')}</code>` },
      { title: state, value: (webhook) => stateOf(visit, webhook) },
      {
        title: '',
        value: ({ id }) =>
          may(visit, 'operator')
            ? html`${button(visit, gateway, 'test', id)} ${button(visit, gateway, 'rotate', id)}
              ${button(visit, gateway, 'remove', id)}`
            : null,
      },
    ],
    webhooks,
    none,
  );
}

function stateOf(visit: Visit, { disabledAt, disabledReason, failingSince }: WebhookEndpoint): Content {
  const { push: texts, since } = visit.language.texts;
  if (disabledAt !== null) {
    const why = disabledReason === 'gone' ? texts.gone : texts.failed;
    return html`${badge('bad', texts.disabled)} ${why}, ${moment(visit, disabledAt)}`;
  }
  if (failingSince === null) return badge('good', texts.well);
  return html`${badge('warn', texts.failing)} ${since} ${moment(visit, failingSince)}`;
}

function button(visit: Visit, gateway: Named, act: Exclude<PushAct, 'add' | 'open' | 'close'>, id: number): Html {
  const { push: texts } = visit.language.texts;
  return html`<form class="acts" method="post" action="${pushPath(gateway)}">
    ${csrfField(visit)}<input type="hidden" name="id" value="${id}" /><button
      class="${act === 'remove' ? 'danger' : 'second'}"
      name="act"
      value="${act}"
      title="${act === 'rotate' ? texts.rotateHint : ''}"
    >
      ${texts.acts[act]}
    </button>
  </form>`;
}

function addForm(visit: Visit, gateway: Named, typed: Push['refused']): Html {
  const { push: texts } = visit.language.texts;
  const { url = '', events = [] } = typed ?? {};
  return html`<form method="post" action="${pushPath(gateway)}" autocomplete="off">
    ${csrfField(visit)}
    <div class="fields">
      <div>
        <label for="url">${texts.address}</label>
        <input id="url" name="url" required maxlength="${MAX_WEBHOOK_URL_CHARACTERS}" value="${url}" />
      </div>
    </div>
    <fieldset>
      <legend>${texts.events}</legend>
      ${WEBHOOK_EVENTS.map(
        (event) =>
          html`<label
            ><input type="checkbox" name="events" value="${event}" ${events.includes(event) ? html`checked` : null} />
            <code>${event}</code></label
          > `,
      )}
      <p class="faint">${texts.all}</p>
    </fieldset>
    <p><button name="act" value="add">${texts.add}</button></p>
  </form>`;
}

function messagesTable(visit: Visit, gateway: Named, deliveries: readonly LoggedDelivery[]): Html {
  const { push: texts, state, nothing } = visit.language.texts;
  return table(
    texts.messages,
    [
      { title: texts.message, value: ({ id }) => id },
      { title: texts.webhooks, value: ({ endpointId }) => endpointId },
      { title: texts.event, value: ({ type }) => html`<code>${type}</code>` },
      { title: '', value: ({ at }) => moment(visit, at) },
      { title: state, value: ({ state: is }) => badge(DELIVERY_TONES[is], texts.messageStates[is]) },
      { title: texts.tries, value: ({ tries }) => tries, isFigure: true },
      { title: 'HTTP', value: ({ status }) => status, isFigure: true },
      { title: 'ms', value: ({ ms }) => ms, isFigure: true },
      { title: texts.answer, value: ({ error, answer }) => [error, answer].filter(Boolean).join(': ') },
      { title: '', value: ({ id }) => (may(visit, 'operator') ? button(visit, gateway, 'replay', id) : null) },
    ],
    deliveries,
    nothing,
  );
}
