import { isRunOver, RUN_STATES, type RunView } from '@passerelle/domain';
import { html } from '@passerelle/html';
import { badge, section } from '../layout/elements';
import { page, type Visit } from '../layout/page';
import { RUN_TONES, runsTable } from './runs-page';

const SHOWN = 100;

/** How far the runs of one action on many gateways are; those that need a look come first. */
export function batchPage(visit: Visit, runs: readonly RunView[]): string {
  const { texts, number } = visit.language;
  const { batch } = texts;
  const ended = runs.filter(({ state }) => isRunOver(state)).length;
  const rest = runs.filter(({ state }) => !isRunOver(state) || state === 'failed' || state === 'held');
  return page(
    visit,
    batch.title,
    html`<p>
        <label for="progress">${batch.of(number(ended), number(runs.length))}</label>
        <progress id="progress" max="${runs.length}" value="${ended}"></progress>
      </p>
      <p>
        ${RUN_STATES.map((state) => {
          const count = runs.filter((run) => run.state === state).length;
          return count === 0
            ? null
            : html`${badge(RUN_TONES[state], `${number(count)} ${texts.run.inState(count, state)}`)} `;
        })}
      </p>
      ${section(batch.rest, runsTable(visit, rest.slice(0, SHOWN), true))}
      ${rest.length > SHOWN ? html`<p class="faint">${texts.onlyFirst(SHOWN)}</p>` : null}`,
    ended < runs.length,
  );
}
