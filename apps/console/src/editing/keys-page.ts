import type { ExportToken, ShownKey } from '@passerelle/database';
import { KEY_SCOPES } from '@passerelle/domain';
import { type Content, type Html, html } from '@passerelle/html';
import type { GatewayRow } from '@passerelle/operations';
import { gatewayLink, gatewayPath, moment, notice, said, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';

export interface KeysToShow {
  row: GatewayRow;
  keys: readonly ShownKey[];
  tokens: readonly ExportToken[];
  /** A secret that was just made: it is shown only once. */
  made?: { what: 'newKey' | 'newToken'; secret: string };
  refused?: { sentence: string };
}

/** The keys and tokens of a gateway by their beginnings, and the forms for operators. */
export function keysPage(visit: Visit, { row, keys, tokens, made, refused }: KeysToShow): string {
  const { texts } = visit.language;
  const { editing, one } = texts;
  const mayAct = may(visit, 'operator');
  return page(
    visit,
    editing.keys.titleOf(`${row.crm}/${row.client}`),
    html`${refused === undefined ? null : notice('bad', said(visit, refused.sentence))}
      ${
        made === undefined
          ? null
          : html`${notice('good', editing.keys[made.what])}
              <p><code class="secret">${made.secret}</code></p>`
      }
      <p>${gatewayLink(row)}</p>
      <p class="faint">${editing.keys.revokeHint}</p>
      ${section(
        one.keys,
        html`${table(one.keys, keyColumns(visit, row, mayAct), keys, texts.none)}
        ${mayAct ? rotateForm(visit, row) : null}`,
      )}
      ${section(
        one.exportTokens,
        html`${table(one.exportTokens, tokenColumns(visit, row, mayAct), tokens, texts.none)}
        ${
          mayAct
            ? html`<form class="acts" method="post" action="${gatewayPath(row)}/keys">
                ${csrfField(visit)}<button name="act" value="make">${editing.keys.make}</button>
              </form>`
            : null
        }`,
      )}`,
  );
}

function keyColumns(visit: Visit, row: GatewayRow, mayAct: boolean) {
  const { one, never, editing } = visit.language.texts;
  return [
    { title: one.key, value: ({ prefix }: ShownKey): Content => html`<code>${prefix}…</code>` },
    { title: one.scope, value: ({ scope }: ShownKey): Content => one.scopes[scope] },
    { title: one.networks, value: ({ networks }: ShownKey): Content => networks?.join(', ') ?? one.anywhere },
    { title: one.lastUsed, value: ({ lastUsedOn }: ShownKey): Content => lastUsedOn ?? never },
    {
      title: one.ends,
      value: ({ expiresAt }: ShownKey): Content => (expiresAt === null ? never : moment(visit, expiresAt)),
    },
    ...(mayAct
      ? [
          {
            title: editing.keys.revoke,
            value: ({ id, prefix }: ShownKey): Content => revokeForm(visit, row, 'revoke', { id, prefix }),
          },
        ]
      : []),
  ];
}

function tokenColumns(visit: Visit, row: GatewayRow, mayAct: boolean) {
  const { one, never, editing } = visit.language.texts;
  return [
    { title: one.key, value: ({ prefix }: ExportToken): Content => html`<code>${prefix}…</code>` },
    { title: one.made, value: ({ createdAt }: ExportToken): Content => moment(visit, createdAt) },
    { title: one.lastUsed, value: ({ lastUsedOn }: ExportToken): Content => lastUsedOn ?? never },
    ...(mayAct
      ? [
          {
            title: editing.keys.revoke,
            value: ({ id, prefix }: ExportToken): Content => revokeForm(visit, row, 'revoke-token', { id, prefix }),
          },
        ]
      : []),
  ];
}

/** A box and a button: one click alone must not stop a site. */
function revokeForm(
  visit: Visit,
  row: GatewayRow,
  act: 'revoke' | 'revoke-token',
  { id, prefix }: { id: number; prefix: string },
): Html {
  const { keys } = visit.language.texts.editing;
  return html`<form class="acts" method="post" action="${gatewayPath(row)}/keys">
    ${csrfField(visit)}<input type="hidden" name="id" value="${id}" />
    <label class="inline"><input type="checkbox" name="sure" value="1" required /> ${keys.confirm}</label>
    <button class="danger" name="act" value="${act}" aria-label="${keys.revoke} ${prefix}…">${keys.revoke}</button>
  </form>`;
}

/** Half a day to a month: sites need time to get the new key. */
export const OVERLAPS_SECONDS = [0, 3_600, 86_400, 7 * 86_400, 30 * 86_400] as const;
export const DEFAULT_OVERLAP_SECONDS = 7 * 86_400;

function rotateForm(visit: Visit, row: GatewayRow): Html {
  const { language } = visit;
  const { editing, one } = language.texts;
  return html`<form class="line" method="post" action="${gatewayPath(row)}/keys">
    ${csrfField(visit)}
    <div>
      <label for="overlap">${editing.keys.overlap}</label>
      <select id="overlap" name="overlap">
        ${OVERLAPS_SECONDS.map(
          (seconds) =>
            html`<option value="${seconds}" ${seconds === DEFAULT_OVERLAP_SECONDS ? html`selected` : null}>
              ${language.span(seconds)}
            </option>`,
        )}
      </select>
    </div>
    <div>
      <label for="scope">${editing.keys.scope}</label>
      <select id="scope" name="scope">
        <option value="">${editing.keys.sameScope}</option>
        ${KEY_SCOPES.map((scope) => html`<option value="${scope}">${one.scopes[scope]}</option>`)}
      </select>
    </div>
    <button name="act" value="rotate">${editing.keys.rotate}</button>
  </form>`;
}

/** The last step before a gateway is removed: its name must be typed. */
export function removePage(visit: Visit, row: GatewayRow, refused?: string): string {
  const { texts, number } = visit.language;
  const { editing } = texts;
  const name = `${row.crm}/${row.client}`;
  return page(
    visit,
    editing.remove.titleOf(name),
    html`${refused === undefined ? null : notice('bad', said(visit, refused))}
      <p>${gatewayLink(row)}</p>
      <p>${editing.remove.hint(number(row.listings ?? 0))}</p>
      <form class="narrow" method="post" action="${gatewayPath(row)}/remove" autocomplete="off">
        ${csrfField(visit)}
        <label for="name">${editing.remove.type(name)}</label>
        <input
          id="name"
          name="name"
          required
          maxlength="200"
          ${refused === undefined ? null : html`aria-invalid="true"`}
        />
        <label for="reason">${texts.reason}. ${texts.reasonHint}</label>
        <input id="reason" name="reason" maxlength="500" />
        <p>
          <label class="inline"
            ><input type="checkbox" name="with-leads" value="1" /> ${editing.remove.withLeads}</label
          >
        </p>
        <button class="danger">${editing.remove.title}</button>
      </form>`,
  );
}
