import { type Placement, PLACEMENT_TROUBLES, type PlacementTrouble } from '@passerelle/database';
import { PUBLICATION_STATES } from '@passerelle/domain';
import { type Content, type Html, html } from '@passerelle/html';
import { advertsOf } from '@passerelle/operations';
import { badge, facts, gatewayLink, gatewayPath, moment, notice, said, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';

export const SHOWN_PLACEMENTS = 100;

const TONES = { on: 'good', off: 'plain', held: 'warn', failing: 'bad', 'dry-run': 'plain', ending: 'warn' } as const;

function stateOf({ isOn, isEnding, isDryRun, held, failures }: Placement): keyof typeof TONES {
  if (isEnding) return 'ending';
  if (!isOn) return 'off';
  if (held !== null) return 'held';
  if (failures > 0) return 'failing';
  return isDryRun ? 'dry-run' : 'on';
}

export interface ListedPlacements {
  only: PlacementTrouble | undefined;
  pageNumber: number;
  total: number;
  placements: readonly Placement[];
}

export function exportsPage(visit: Visit, { only, pageNumber, total, placements }: ListedPlacements): string {
  const { texts, number } = visit.language;
  const { exports } = texts;
  const isMore = pageNumber * SHOWN_PLACEMENTS < total;
  return page(
    visit,
    texts.nav.exports,
    html`<p class="faint">${exports.intro}</p>
      <form class="line" method="get" action="/exports">
        <div>
          <label for="only">${exports.only}</label>
          <select id="only" name="only">
            <option value="">${texts.all}</option>
            ${PLACEMENT_TROUBLES.map(
              (one) =>
                html`<option value="${one}" ${one === only ? html`selected` : null}>${exports.troubles[one]}</option>`,
            )}
          </select>
        </div>
        <button>${texts.audit.filter}</button>
      </form>
      ${table<Placement>(
        texts.nav.exports,
        [
          { title: exports.placement, value: ({ id }) => html`<a href="/exports/${id}">${id}</a>` },
          { title: texts.gateway, value: gatewayLink },
          { title: exports.target, value: ({ target }) => target },
          { title: texts.state, value: (one) => badge(TONES[stateOf(one)], exports.states[stateOf(one)]) },
          {
            title: exports.adverts,
            value: (one) => html`<a href="${advertsPath(one)}">${number(advertsOf(one))}</a>`,
            isFigure: true,
          },
          { title: exports.waiting, value: ({ states }) => number(states['waiting'] ?? 0), isFigure: true },
          { title: exports.refused, value: ({ states }) => number(states['refused'] ?? 0), isFigure: true },
          { title: exports.last, value: ({ exportedAt }) => moment(visit, exportedAt) },
          { title: exports.why, value: (one) => whyOf(visit, one) },
        ],
        placements,
        texts.nothing,
      )}
      ${isMore ? html`<p><a href="/exports?only=${only ?? ''}&amp;page=${pageNumber + 1}">${exports.next}</a></p>` : null}`,
  );
}

function advertsPath(placement: Pick<Placement, 'crm' | 'client' | 'id'>): string {
  return `${gatewayPath(placement)}/adverts?placement=${placement.id}`;
}

function whyOf(visit: Visit, { held, failure }: Placement): Content {
  const sentence = held?.message ?? failure;
  return sentence === null ? null : said(visit, sentence);
}

/** One placement with what operators may decide. */
export function placementPage(visit: Visit, placement: Placement, refused?: string): string {
  const { texts, number } = visit.language;
  const { exports } = texts;
  const { id, target, states, result, counts, exportedAt, held } = placement;
  const state = stateOf(placement);
  return page(
    visit,
    exports.titleOf(id, target),
    html`${refused === undefined ? null : notice('bad', said(visit, refused))}
    ${held === null ? null : notice('warn', said(visit, held.message))}
    ${facts([
      [texts.gateway, gatewayLink(placement)],
      [texts.state, badge(TONES[state], exports.states[state])],
      [exports.last, moment(visit, exportedAt)],
      [texts.run.message, result === null ? null : exports.results[result]],
      [exports.why, whyOf(visit, placement)],
      [exports.wouldBeHeld, counts?.hold === undefined ? null : said(visit, counts.hold)],
    ])}
    ${section(
      exports.counts,
      html`${facts(
          PUBLICATION_STATES.map((one) => [
            exports.advertStates[one],
            states[one] === undefined ? null : number(states[one]),
          ]),
        )}
        <p><a href="${advertsPath(placement)}">${exports.matrix}</a></p>`,
    )}
    ${may(visit, 'operator') && !placement.isEnding ? decisions(visit, placement) : null}`,
  );
}

function decisions(visit: Visit, { id, isOn, held }: Placement): Html {
  const { texts } = visit.language;
  const { exports } = texts;
  return html`<form method="post" action="/exports/${id}">
      ${csrfField(visit)} ${isOn ? html`<p class="faint">${exports.pauseHint}</p>` : null}
      <button name="act" value="${isOn ? 'pause' : 'resume'}">${isOn ? exports.pause : exports.resume}</button>
    </form>
    ${
      held === null
        ? null
        : html`<form method="post" action="/exports/${id}">
            ${csrfField(visit)}
            <p>${exports.approveHint}</p>
            <p>
              <label for="reason">${texts.reason}</label>
              <textarea id="reason" name="reason" required maxlength="500"></textarea>
            </p>
            <button class="danger" name="act" value="approve">${exports.approve}</button>
          </form>`
    }`;
}
