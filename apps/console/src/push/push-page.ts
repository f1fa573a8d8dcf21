import type { CallAddress, LoggedDelivery, WaitingCalls, WebhookEndpoint } from '@passerelle/database';
import { MAX_WEBHOOK_URL_CHARACTERS, WEBHOOK_EVENTS } from '@passerelle/domain';
import { type Html, html, type Part } from '@passerelle/html';
import type { ActedGateway } from '@passerelle/operations';
import { badge, gatewayLink, gatewayPath, moment, notice, section, table } from '../layout/parts';
import { csrfField, may, page, type Visit } from '../layout/page';

export const PUSH_ACTS = ['add', 'test', 'rotate', 'remove', 'replay'] as const;
type PushAct = (typeof PUSH_ACTS)[number];

type Named = Pick<ActedGateway, 'crm' | 'client'>;

export interface Push {
  gateway: Named;
  webhooks: readonly WebhookEndpoint[];
  deliveries: readonly LoggedDelivery[];
  addresses: readonly Omit<CallAddress, 'hasSecret'>[];
  waiting: WaitingCalls;
  /** What was typed to add one, and why it cannot be used. */
  refused?: { url: string; sentence: string };
}

const TONES = { pending: 'warn', delivered: 'good', superseded: 'plain', failed: 'bad' } as const;

/** Who is told of a gateway's lists, what they were told, and who calls for it. */
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
        ${may(visit, 'operator') ? addForm(visit, gateway, refused?.url ?? '') : null}`,
      )}
      ${section(
        texts.messages,
        html`<p class="faint">${texts.messagesHint}</p>
          ${messagesTable(visit, gateway, deliveries)}`,
      )}
      ${section(texts.calls, callsPart(visit, push))}`,
  );
}

/** The secret, this once. */
export function secretPage(visit: Visit, gateway: Named, secret: string): string {
  const { push: texts } = visit.language.texts;
  return page(
    visit,
    texts.title,
    html`${notice('good', texts.secret)}
      <p><code class="secret">${secret}</code></p>
      <p><a href="${pushPath(gateway)}">${texts.back}</a></p>`,
  );
}

/** Where the page of a gateway is. */
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

function stateOf(visit: Visit, { disabledAt, disabledReason, failingSince }: WebhookEndpoint): Part {
  const { push: texts, since } = visit.language.texts;
  if (disabledAt !== null) {
    const why = disabledReason === 'gone' ? texts.gone : texts.failed;
    return html`${badge('bad', texts.disabled)} ${why}, ${moment(visit, disabledAt)}`;
  }
  if (failingSince === null) return badge('good', texts.well);
  return html`${badge('warn', texts.failing)} ${since} ${moment(visit, failingSince)}`;
}

function button(visit: Visit, gateway: Named, act: Exclude<PushAct, 'add'>, id: number): Html {
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

function addForm(visit: Visit, gateway: Named, typed: string): Html {
  const { push: texts } = visit.language.texts;
  return html`<form method="post" action="${pushPath(gateway)}" autocomplete="off">
    ${csrfField(visit)}
    <div class="fields">
      <div>
        <label for="url">${texts.address}</label>
        <input id="url" name="url" required maxlength="${MAX_WEBHOOK_URL_CHARACTERS}" value="${typed}" />
      </div>
    </div>
    <fieldset>
      <legend>${texts.events}</legend>
      ${WEBHOOK_EVENTS.map(
        (event) => html`<label><input type="checkbox" name="events" value="${event}" /> <code>${event}</code></label> `,
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
      { title: state, value: ({ state: is }) => badge(TONES[is], texts.messageStates[is]) },
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

function callsPart(visit: Visit, { addresses, waiting }: Push): Html {
  const { texts } = visit.language;
  const { push, one, never } = texts;
  const waits =
    waiting.since === null
      ? push.noneWaits
      : push.waiting(waiting.listings, visit.language.relative(waiting.since, visit.now));
  return html`<p>${waits}</p>
    ${table(
      push.callAddresses,
      [
        { title: '', value: ({ id }) => id },
        { title: push.address, value: ({ prefix }) => html`<code>/in/${prefix}…</code>` },
        { title: one.made, value: ({ createdAt }) => moment(visit, createdAt) },
        { title: one.ends, value: ({ expiresAt }) => (expiresAt === null ? never : moment(visit, expiresAt)) },
      ],
      addresses,
      texts.none,
    )}
    <p class="faint">${push.callHint}</p>`;
}
