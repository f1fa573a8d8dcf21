import { type RunState, RUN_STATES, type RunView } from '@passerelle/domain';
import { type Content, type Html, html } from '@passerelle/html';
import { SHOWN_RUNS } from '../board/gateway-board';
import { badge, type Column, gatewayLink, moment, notice, said, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';

export const RUN_TONES: Readonly<Record<RunState, string>> = {
  ...{ queued: '', running: '', published: 'good', unchanged: 'good', held: 'warn' },
  ...{ failed: 'bad', cancelled: '', discarded: '' },
};

/** @param hasGateways whether the runs belong to several gateways */
export function runsTable(visit: Visit, runs: readonly RunView[], hasGateways: boolean): Html {
  const { texts, number } = visit.language;
  const { rows } = texts.run;
  const figure = (title: string, value: (run: RunView) => number): Column<RunView> => ({
    title,
    value: (run) => (run.started_at === null ? '' : number(value(run))),
    isFigure: true,
  });
  return table(
    texts.nav.runs,
    [
      { title: '№', value: ({ id }) => html`<a href="/runs/${id}">${id}</a>`, isFigure: true },
      ...(hasGateways ? [{ title: texts.gateway, value: gatewayLink }] : []),
      {
        title: texts.state,
        value: (run) => html`${stateBadge(visit, run)} ${run.reason === null ? null : said(visit, run.reason)}`,
      },
      { title: texts.audit.when, value: ({ started_at }) => (started_at === null ? '' : moment(visit, started_at)) },
      figure(rows.records, ({ records }) => records),
      figure(rows.added, ({ added }) => added),
      figure(rows.changed, ({ changed }) => changed),
      figure(rows.removed, ({ removed }) => removed),
      figure(rows.rejected, ({ rejected }) => rejected),
    ],
    runs,
    texts.nothing,
  );
}

/** A run's state, with the number of runs if the run represents several. */
export function stateBadge({ language: { texts } }: Visit, { state, dry_run, folded }: RunView): Html {
  const name = dry_run === true ? `${texts.acts['dry-run']}: ${texts.runStates[state]}` : texts.runStates[state];
  return badge(RUN_TONES[state], folded === undefined ? name : `${name} ×${folded.runs}`);
}

/** The parameters of the list of runs; an absent one does not restrict the list. */
export interface RunSearch {
  state?: RunState;
  crm?: string;
  client?: string;
  /** `YYYY-MM-DD`. */
  until?: string;
  beforeId?: number;
}

export function runsPath({ state, crm, client, until, beforeId }: RunSearch): string {
  const parameters = new URLSearchParams({
    ...(state !== undefined && { state }),
    ...(crm !== undefined && client !== undefined && { gateway: `${crm}/${client}` }),
    ...(until !== undefined && { until }),
    ...(beforeId !== undefined && { before: String(beforeId) }),
  });
  return parameters.size === 0 ? '/runs' : `/runs?${parameters.toString()}`;
}

/** Why not all runs were published. */
export interface RefusedRuns {
  sentences: readonly string[];
  /** Whether the reason is missing. */
  isReason: boolean;
}

/** @param held the ids of the runs that are held only for a changed mapping, in ascending order */
function publishAllForm(visit: Visit, held: readonly number[], refused: RefusedRuns | undefined): Content {
  const { texts } = visit.language;
  const last = held.at(-1);
  const alert = refused?.sentences.map((sentence) => notice('bad', said(visit, sentence))) ?? null;
  if (last === undefined || !may(visit, 'operator')) return alert;
  const mark = refused?.isReason === true ? html`aria-invalid="true"` : null;
  return html`${alert}${section(
    texts.publishAll.title,
    html`<form method="post" action="/runs/publish-all">
      ${csrfField(visit)}<input type="hidden" name="upTo" value="${last}" />
      <p>${texts.publishAll.sentence(held.length)}</p>
      <p>
        <label for="reason">${texts.reason}. ${texts.reasonHint}</label>
        <textarea id="reason" name="reason" required maxlength="500" ${mark}></textarea>
      </p>
      <button>${texts.publishAll.button}</button>
    </form>`,
  )}`;
}

/** Runs, newest first, optionally of one gateway, in one state, or up to a given day. */
export function runsPage(
  visit: Visit,
  wanted: RunSearch,
  runs: readonly RunView[],
  held: readonly number[],
  refused?: RefusedRuns,
): string {
  const { texts } = visit.language;
  const { state, crm, client, until, beforeId } = wanted;
  const last = runs.length < SHOWN_RUNS ? undefined : runs.at(-1);
  return page(
    visit,
    texts.nav.runs,
    html`<form class="line" method="get" action="/runs">
        <div>
          <label for="state">${texts.state}</label>
          <select id="state" name="state">
            <option value="">${texts.all}</option>
            ${RUN_STATES.map(
              (known) =>
                html`<option value="${known}" ${known === state ? html`selected` : null}>
                  ${texts.runStates[known]}
                </option>`,
            )}
          </select>
        </div>
        <div>
          <label for="gateway">${texts.gateway}</label>
          <input
            id="gateway"
            name="gateway"
            value="${crm === undefined ? '' : `${crm}/${client}`}"
            maxlength="130"
            placeholder="crm/client"
          />
        </div>
        <div>
          <label for="until">${texts.audit.until}</label>
          <input id="until" name="until" type="date" value="${until ?? ''}" />
        </div>
        <button>${texts.audit.filter}</button>
      </form>
      ${publishAllForm(visit, held, refused)} ${runsTable(visit, runs, true)}
      ${
        last === undefined
          ? null
          : html`<p class="pages">
              <a href="${runsPath({ ...wanted, beforeId: last.id })}">${texts.audit.older}</a>
            </p>`
      }`,
    until === undefined && beforeId === undefined && crm === undefined,
  );
}
