import type { FeedTrial } from '@passerelle/connectors';
import { type Content, type Html, html } from '@passerelle/html';
import type { GatewayRow } from '@passerelle/operations';
import type { AddableConnector, AddField, RefusedField, Typed } from '../connectors/add-form';
import { fieldOf, formFields, refusalOf } from '../connectors/add-page';
import { trialSection } from '../connectors/trial-section';
import { gatewayLink, gatewayPath, section } from '../layout/elements';
import { csrfField, page, type Visit } from '../layout/page';
import { editDigest, isMasked, type Removals } from './edit-form';

export interface EditForm {
  row: GatewayRow;
  connector: AddableConnector;
  fields: readonly AddField[];
  typed: Typed;
  removed: Removals;
  reason: string;
  refused?: readonly RefusedField[];
  trial?: FeedTrial;
}

/** The values of a gateway in a form. Secret values are not shown: an empty field keeps them. */
export function editPage(visit: Visit, form: EditForm): string {
  const { row, connector, fields, typed, removed, reason, refused, trial } = form;
  const { texts } = visit.language;
  const { editing, one } = texts;
  const part = (option: string): Html[] =>
    formFields(fields, typed, option).map((field) => fieldOf(visit, field, typed, refused));
  return page(
    visit,
    editing.titleOf(`${row.crm}/${row.client}`),
    html`${refused === undefined ? null : refusalOf(visit, refused)}
      ${trial === undefined ? null : trialSection(visit, trial)}
      <p>${gatewayLink(row)}</p>
      ${connector.notes === '' ? null : html`<p class="faint" lang="en">${connector.notes}</p>`}
      <p class="faint">${editing.hint}</p>
      <form method="post" action="${gatewayPath(row)}/edit" autocomplete="off">
        ${csrfField(visit)}<input type="hidden" name="shown" value="${editDigest(row)}" />
        <p>${one.source}, ${editing.now}${texts.colon}<code>${row.sourceUrl ?? one.sourceHidden}</code></p>
        <div class="fields">${part('source')} ${part('every')} ${part('contract-end')}</div>
        ${section(one.credentials, credentialsOf(visit, row, part('credential'), removed))}
        ${section(one.settings, settingsOf(visit, row, part('set'), removed))}
        <p>
          <label for="reason">${texts.reason}. ${texts.reasonHint}</label>
          <input id="reason" name="reason" maxlength="500" value="${reason}" />
        </p>
        <p>
          <button class="second" name="act" value="test">${editing.test}</button>
          <button name="act" value="save">${editing.save}</button>
        </p>
      </form>`,
  );
}

function credentialsOf(visit: Visit, row: GatewayRow, fields: readonly Html[], removed: Removals): Content {
  const { editing, one, none } = visit.language.texts;
  return html`<p class="faint">${row.hasCredentials ? one.given : none}. ${editing.credentialsHint}</p>
    <div class="fields">${fields}</div>
    ${row.hasCredentials ? checkbox('remove-credentials', '1', editing.removeCredentials, removed.credentials) : null}`;
}

/** Settings whose values are not shown can be removed only by a box. */
function settingsOf(visit: Visit, row: GatewayRow, fields: readonly Html[], removed: Removals): Content {
  const { editing } = visit.language.texts;
  const hidden = Object.entries(row.settings ?? {}).filter(([, value]) => isMasked(value));
  return html`<div class="fields">${fields}</div>
    ${hidden.map(
      ([name, value]) =>
        html`<p><code>${name}=${value}</code></p>
          ${checkbox('unset', name, editing.removeSetting(name), removed.settings.includes(name))}`,
    )}`;
}

function checkbox(name: string, value: string, text: string, isChecked: boolean): Html {
  return html`<p>
    <label class="inline"
      ><input type="checkbox" name="${name}" value="${value}" ${isChecked ? html`checked` : null} /> ${text}</label
    >
  </p>`;
}
