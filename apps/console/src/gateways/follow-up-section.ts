import type { FollowUp } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import type { GatewayRow } from '@passerelle/operations';
import { gatewayPath, moment, section } from '../layout/elements';
import { csrfField, may, type Visit } from '../layout/page';

export interface ShownFollowUp {
  followUp: FollowUp | null;
  /** Names of operators who are not disabled. */
  operators: readonly string[];
}

/** One line: the note, who takes care of the gateway, and until when it is snoozed. */
function followUpLine(visit: Visit, { note, assignee, snoozedUntil, by, at }: FollowUp): Content {
  const { followUps } = visit.language.texts;
  const isSnoozed = snoozedUntil !== null && Date.parse(snoozedUntil) > visit.now.getTime();
  return html`<strong>${assignee ?? by}</strong>${visit.language.texts.colon}${note}
    <span class="faint">${moment(visit, at)}${assignee === null || assignee === by ? null : ` (${by})`}</span>
    ${isSnoozed ? html`<span class="badge">${followUps.snoozedUntil} ${moment(visit, snoozedUntil)}</span>` : null}`;
}

export function followUpSection(visit: Visit, row: GatewayRow, { followUp, operators }: ShownFollowUp): Content {
  const { texts } = visit.language;
  const { followUps } = texts;
  if (followUp === null && !may(visit, 'operator')) return null;
  const chosen = followUp?.assignee ?? '';
  const form = html`<details>
    <summary>${followUp === null ? followUps.add : followUps.change}</summary>
    <form class="line" method="post" action="${gatewayPath(row)}/follow-up">
      ${csrfField(visit)}
      <div>
        <label for="note">${followUps.note} <strong>(${texts.adding.required})</strong></label>
        <input id="note" name="note" required maxlength="500" value="${followUp?.note ?? ''}" />
      </div>
      <div>
        <label for="assignee">${followUps.assignee}</label>
        <select id="assignee" name="assignee">
          <option value="">${texts.none}</option>
          ${operators.map((name) => html`<option ${name === chosen ? html`selected` : null}>${name}</option>`)}
        </select>
      </div>
      <div>
        <label for="snooze">${followUps.snooze}</label>
        <input id="snooze" name="snooze" type="datetime-local" />
      </div>
      <button name="act" value="save">${followUps.save}</button>
      ${followUp === null ? null : html`<button class="second" name="act" value="end" formnovalidate>${followUps.end}</button>`}
    </form>
  </details>`;
  return section(
    followUps.title,
    html`${followUp === null ? null : html`<p>${followUpLine(visit, followUp)}</p>`}
    ${may(visit, 'operator') ? form : null}`,
  );
}
