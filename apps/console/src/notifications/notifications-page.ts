import type { NotificationChannel, StoredRule } from '@passerelle/database';
import { CHANNEL_KINDS, NOTIFICATION_EVENTS } from '@passerelle/domain';
import { type Content, type Html, html } from '@passerelle/html';
import { notice, said, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';

export interface NotificationsToShow {
  channels: readonly NotificationChannel[];
  rules: readonly StoredRule[];
  /** The secret of a new webhook, shown only once. */
  secret?: string;
  isTested?: boolean;
  refused?: { sentence: string; typed: (name: string) => string };
}

/** Channels and rules of notifications to operators. */
export function notificationsPage(visit: Visit, shown: NotificationsToShow): string {
  const { texts } = visit.language;
  const { notifications } = texts;
  const { channels, rules, secret, isTested = false, refused } = shown;
  const mayAct = may(visit, 'operator');
  const typed = refused?.typed ?? (() => '');
  return page(
    visit,
    texts.nav.notifications,
    html`${refused === undefined ? null : notice('bad', said(visit, refused.sentence))}
      ${isTested ? notice('good', html`<a href="/deliveries?kind=notification">${notifications.tested}</a>`) : null}
      ${
        secret === undefined
          ? null
          : html`${notice('good', notifications.secret)}
              <p><code class="secret">${secret}</code></p>`
      }
      <p class="faint">${notifications.intro}</p>
      ${section(
        notifications.channels,
        html`${channelTable(visit, channels, mayAct)} ${mayAct ? channelForm(visit, typed) : null}`,
      )}
      ${section(
        notifications.rules,
        html`${ruleTable(visit, rules, channels, mayAct)} ${mayAct ? ruleForm(visit, channels, typed) : null}`,
      )}`,
  );
}

function channelTable(visit: Visit, channels: readonly NotificationChannel[], mayAct: boolean): Html {
  const { texts } = visit.language;
  const { notifications } = texts;
  return table<NotificationChannel>(
    notifications.channels,
    [
      { title: notifications.kind, value: ({ kind }) => notifications.kinds[kind] },
      {
        title: notifications.address,
        value: ({ shown, isOfSetting }) =>
          html`${shown} ${isOfSetting ? html`<span class="faint">${notifications.ofSetting}</span>` : null}`,
      },
      { title: notifications.quiet, value: ({ quiet }) => quiet },
      ...(mayAct
        ? [{ title: texts.operators.change, value: (one: NotificationChannel) => channelActs(visit, one) }]
        : []),
    ],
    channels,
    texts.nothing,
  );
}

function channelActs(visit: Visit, { id, shown, isOfSetting }: NotificationChannel): Content {
  const { notifications } = visit.language.texts;
  return html`${actForm(visit, 'test', id, { text: notifications.test, of: shown, tone: 'second' })}
  ${isOfSetting ? null : actForm(visit, 'remove-channel', id, { text: notifications.remove, of: shown, tone: 'danger' })}`;
}

function actForm(
  visit: Visit,
  act: 'test' | 'remove-channel' | 'remove-rule',
  id: number,
  { text, of, tone }: { text: string; of: string; tone: string },
): Html {
  return html`<form class="acts" method="post" action="/notifications">
    ${csrfField(visit)}<input type="hidden" name="id" value="${id}" />
    <button class="${tone}" name="act" value="${act}" aria-label="${text}: ${of}">${text}</button>
  </form>`;
}

function ruleTable(
  visit: Visit,
  rules: readonly StoredRule[],
  channels: readonly NotificationChannel[],
  mayAct: boolean,
): Html {
  const { texts, number } = visit.language;
  const { notifications } = texts;
  const shownOf = (id: number): string => channels.find((one) => one.id === id)?.shown ?? String(id);
  const aboutOf = ({ crm, client }: StoredRule): string =>
    crm === null ? notifications.allGateways : client === null ? crm : `${crm}/${client}`;
  return table<StoredRule>(
    notifications.rules,
    [
      { title: notifications.channel, value: ({ channelId }) => shownOf(channelId) },
      { title: notifications.events, value: ({ event }) => notifications.event[event] },
      { title: notifications.about, value: aboutOf },
      {
        title: notifications.after,
        value: ({ event, afterFailures }) => (event === 'failing' ? number(afterFailures) : null),
        isFigure: true,
      },
      {
        title: notifications.repeat,
        value: ({ event, repeatSeconds }) =>
          repeatSeconds === null || event === 'digest' ? null : notifications.hours(repeatSeconds / 3600),
      },
      ...(mayAct
        ? [
            {
              title: texts.operators.change,
              value: (rule: StoredRule) =>
                actForm(visit, 'remove-rule', rule.id, {
                  ...{ text: notifications.remove, tone: 'danger' },
                  of: `${shownOf(rule.channelId)}, ${notifications.event[rule.event]}, ${aboutOf(rule)}`,
                }),
            },
          ]
        : []),
    ],
    rules,
    texts.nothing,
  );
}

function channelForm(visit: Visit, typed: (name: string) => string): Html {
  const { notifications } = visit.language.texts;
  return html`<form class="line" method="post" action="/notifications" autocomplete="off">
    ${csrfField(visit)}
    <div>
      <label for="kind">${notifications.kind}</label>
      <select id="kind" name="kind">
        ${CHANNEL_KINDS.map(
          (kind) =>
            html`<option value="${kind}" ${typed('kind') === kind ? html`selected` : null}>
              ${notifications.kinds[kind]}
            </option>`,
        )}
      </select>
    </div>
    <div>
      <label for="address">${notifications.address}. ${notifications.addressHint}</label>
      <input id="address" name="address" required maxlength="2000" value="${typed('address')}" />
    </div>
    <div>
      <label for="quiet">${notifications.quiet} (${notifications.quietHint})</label>
      <input id="quiet" name="quiet" maxlength="5" value="${typed('quiet')}" />
    </div>
    <button name="act" value="add-channel">${notifications.add}</button>
  </form>`;
}

function ruleForm(visit: Visit, channels: readonly NotificationChannel[], typed: (name: string) => string): Html {
  const { texts } = visit.language;
  const { notifications } = texts;
  if (channels.length === 0) return html`<p class="faint">${notifications.noChannel}</p>`;
  const field = (name: string, text: string, value: string): Html =>
    html`<div>
      <label for="${name}">${text}</label>
      <input id="${name}" name="${name}" maxlength="64" value="${typed(name) === '' ? value : typed(name)}" />
    </div>`;
  return html`<form method="post" action="/notifications">
    ${csrfField(visit)}
    <fieldset>
      <legend>${notifications.events}</legend>
      ${NOTIFICATION_EVENTS.map(
        (event) =>
          html`<p>
            <label class="inline"
              ><input type="checkbox" name="event" value="${event}" /> ${notifications.event[event]}</label
            >
          </p>`,
      )}
    </fieldset>
    <div class="line fields">
      <div>
        <label for="channel">${notifications.channel}</label>
        <select id="channel" name="channel">
          ${channels.map(({ id, shown }) => html`<option value="${id}">${shown}</option>`)}
        </select>
      </div>
      ${field('crm', notifications.crmHint, '')} ${field('client', notifications.clientHint, '')}
      ${field('after', notifications.after, '1')}
      ${field('repeat', `${notifications.repeat} (${notifications.repeatHint})`, '6')}
    </div>
    <p><button name="act" value="add-rule">${notifications.addRule}</button></p>
  </form>`;
}
