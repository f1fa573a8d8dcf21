import type { GatewayState } from '@passerelle/domain';
import { type Html, html } from '@passerelle/html';
import { type GatewayRow, isRowIn } from '@passerelle/operations';
import { badge, gatewayLink, notice, said, section } from '../layout/elements';
import { csrfField, page, type Visit } from '../layout/page';
import { NOTHING_TYPED, pauseFields, type TypedPause } from '../layout/pause-fields';
import { type BulkAct, type LeftAlone, shownAs } from './bulk';
import { STATE_TONES } from './list-page';

export interface Confirmation {
  act: BulkAct;
  /** The state that the search named: gateways that are in another state now are skipped. */
  expected: GatewayState | undefined;
  rows: readonly GatewayRow[];
  /** The typed period is absent for other acts. */
  refused?: Omit<TypedPause, 'wrong'> & { sentence: string; wrong?: TypedPause['wrong'] | 'every'; every?: string };
}

/** Lists exactly the gateways that an action will change, whatever the search finds later. */
export function confirmPage(visit: Visit, { act, expected, rows, refused }: Confirmation): string {
  const { texts } = visit.language;
  const shown = rows.map((row) => (expected === undefined || isRowIn(row, expected) ? shownAs(row) : expected));
  return page(
    visit,
    texts.acts[act],
    html`${refused === undefined ? null : notice('bad', said(visit, refused.sentence))}
      <p>${texts.bulk.these(rows.length)}. ${texts.actSentences[act]}</p>
      <form method="post" action="/gateways/act">
        ${csrfField(visit)}
        <input type="hidden" name="ids" value="${rows.map(({ id }) => id).join(',')}" />
        <input type="hidden" name="shown" value="${shown.join(',')}" />
        ${act === 'period' ? periodField(visit, refused) : null}
        ${act === 'pause' ? pauseFields(visit, 'pause', typedPause(refused)) : reasonField(visit, act, refused)}
        <button class="${act === 'disable' ? 'danger' : ''}" name="act" value="${act}">
          ${texts.bulk.confirm(rows.length)}
        </button>
      </form>
      ${names(visit, rows)}`,
  );
}

function typedPause(refused: Confirmation['refused']): TypedPause {
  if (refused === undefined) return NOTHING_TYPED;
  const { until, reason, wrong } = refused;
  return { until, reason, ...(wrong !== undefined && wrong !== 'every' && { wrong }) };
}

function periodField({ language: { texts } }: Visit, refused: Confirmation['refused']): Html {
  const { period } = texts.editing;
  return html`<p>
    <label for="every">${period.label} (${period.hint})</label>
    <input
      id="every"
      name="every"
      maxlength="20"
      value="${refused?.every ?? ''}"
      ${refused?.wrong === 'every' ? html`aria-invalid="true"` : null}
    />
  </p>`;
}

function reasonField({ language: { texts } }: Visit, act: BulkAct, refused: Confirmation['refused']): Html {
  const more = html`${act === 'disable' ? html`required` : null}
  ${refused?.wrong === 'reason' ? html`aria-invalid="true"` : null}`;
  return html`<p>
    <label for="reason">${texts.reason}. ${texts.reasonHint}</label>
    <textarea id="reason" name="reason" maxlength="500" ${more}>${refused?.reason ?? ''}</textarea>
  </p>`;
}

/** The result: the changed gateways, and the skipped gateways that differ from the shown state. */
export function donePage(
  visit: Visit,
  act: BulkAct,
  { done, left, batch }: { done: readonly GatewayRow[]; left: readonly LeftAlone[]; batch: number | undefined },
): string {
  const { texts } = visit.language;
  const { states, bulk } = texts;
  const why = ({ row, why: reason, was }: LeftAlone): string => {
    if (reason !== 'changed') return bulk[reason];
    if (row === null) return bulk.gone;
    return was === undefined || was === row.state ? states[row.state] : bulk.changed(states[was], states[row.state]);
  };
  return page(
    visit,
    texts.acts[act],
    html`${notice(left.length === 0 ? 'good' : 'warn', bulk.done(done.length))}
      ${batch === undefined ? null : html`<p><a href="/runs/batches/${batch}">${texts.batch.open}</a></p>`}
      ${
        left.length === 0
          ? null
          : section(
              bulk.left(left.length),
              html`<ul>
                ${left.map(
                  (one) =>
                    html`<li>${one.row === null ? String(one.id) : gatewayLink(one.row)}${texts.colon}${why(one)}</li>`,
                )}
              </ul>`,
            )
      }
      ${act === 'period' ? html`<p>${texts.editing.period.soon}</p>` : null} ${names(visit, done)}
      <p><a href="/gateways">${texts.nav.gateways}</a></p>`,
  );
}

function names({ language: { texts } }: Visit, rows: readonly GatewayRow[]): Html {
  return html`<ul>
    ${rows.map((row) => html`<li>${gatewayLink(row)} ${badge(STATE_TONES[row.state], texts.states[row.state])}</li>`)}
  </ul>`;
}
