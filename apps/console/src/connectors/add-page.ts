import type { FeedTrial } from '@passerelle/connectors';
import type { ConnectorRecord } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { declared, gatewayLink, gatewayPath, notice, said, section } from '../layout/elements';
import { csrfField, page, type Visit } from '../layout/page';
import { trialSection } from './trial-section';
import type { AddableConnector, AddField, RefusedField, Typed } from './add-form';

export interface AddForm {
  connector: AddableConnector;
  fields: readonly AddField[];
  typed: Typed;
  refused?: readonly RefusedField[];
  /** The result of the try. */
  trial?: FeedTrial;
}

export function choosePage(visit: Visit, connectors: readonly ConnectorRecord[]): string {
  const { adding } = visit.language.texts;
  return page(
    visit,
    adding.title,
    html`<p>
        <a href="/gateways/new/csv">${visit.language.texts.csvs.title}</a>
      </p>
      <p>${adding.choose}</p>
      <ul>
        ${connectors.map(
          ({ id, label }) =>
            html`<li><a href="/connectors/${encodeURIComponent(id)}/add">${label}</a> <code>${id}</code></li>`,
        )}
      </ul>`,
  );
}

export function addPage(visit: Visit, { connector, fields, typed, refused, trial }: AddForm): string {
  const { adding, one, trying } = visit.language.texts;
  const part = (option: string): Html[] =>
    formFields(fields, typed, option).map((field) => fieldOf(visit, field, typed, refused));
  return page(
    visit,
    `${adding.title}: ${connector.label}`,
    html`${refused === undefined ? null : refusalOf(visit, refused)}
      ${trial === undefined ? null : trialSection(visit, trial)}
      ${connector.notes === '' ? null : html`<p class="faint" lang="en">${connector.notes}</p>`}
      <form method="post" action="/connectors/${encodeURIComponent(connector.id)}/add" autocomplete="off">
        ${csrfField(visit)}
        <div class="fields">${part('client')} ${part('source')} ${part('every')} ${part('contract-end')}</div>
        ${section(one.credentials, html`<div class="fields">${part('credential')}</div>`)}
        ${section(one.settings, html`<div class="fields">${part('set')}</div>`)}
        <p class="faint">${trying.hint}</p>
        <p>
          <button class="second" name="act" value="try">${trying.try}</button>
          <button name="act" value="add">${adding.add}</button>
        </p>
      </form>`,
  );
}

/** The fields of an option. A synonym of another field is shown only with a value, which a CSV may contain. */
export function formFields(fields: readonly AddField[], typed: Typed, option: string): AddField[] {
  return fields.filter(
    (field) => field.option === option && (!/^The same as /.test(field.sentence) || (typed.get(field.id) ?? '') !== ''),
  );
}

export function addedPage(visit: Visit, gateway: { crm: string; client: string }, key: string): string {
  const { adding, acts } = visit.language.texts;
  return page(
    visit,
    adding.title,
    html`${notice('good', adding.added)}
      <p><code class="secret">${key}</code></p>
      <form class="acts" method="post" action="${gatewayPath(gateway)}/act">
        ${csrfField(visit)}<button name="act" value="dry-run" class="second">${acts['dry-run']}</button>
        <button name="act" value="ingest">${acts.ingest}</button>
      </form>
      <p>${gatewayLink(gateway)}</p>`,
  );
}

/** One notice for all invalid fields, with a link to each. */
export function refusalOf(visit: Visit, refused: NonNullable<AddForm['refused']>): Html {
  const lines = refused.map(({ problem, fields }, at) => {
    const links = fields.map((id) => html`<a href="#${idOf(id)}">${titleOf(visit, id)}</a> `);
    return html`${at === 0 ? null : html`<br />`}${links}<span id="problem${at === 0 ? '' : at}"
        >${said(visit, problem)}</span
      >`;
  });
  return notice('bad', lines);
}

export function fieldOf(
  visit: Visit,
  { id, name, option, sentence, isRequired }: AddField,
  typed: Typed,
  refused: AddForm['refused'],
): Html {
  const { adding } = visit.language.texts;
  const at = refused?.findIndex(({ fields }) => fields.includes(id)) ?? -1;
  const more = html`${isRequired ? html`required` : null}
  ${at < 0 ? null : html`aria-invalid="true" aria-describedby="problem${at === 0 ? '' : at}"`}`;
  const value = typed.get(id) ?? '';
  const input: Content =
    name === 'private-key'
      ? html`<textarea id="${idOf(id)}" name="${id}" spellcheck="false" ${more}>${value}</textarea>`
      : html`<input
          id="${idOf(id)}"
          name="${id}"
          type="${option === 'contract-end' ? 'date' : option === 'credential' ? 'password' : 'text'}"
          autocomplete="${option === 'credential' ? 'new-password' : 'off'}"
          value="${value}"
          ${more}
        />`;
  const hint = name === null ? adding.hints[option as keyof typeof adding.hints] : null;
  return html`<div>
    <label for="${idOf(id)}"
      >${titleOf(visit, id)}${isRequired ? html` <strong>(${adding.required})</strong>` : null}${hint === null ? null : html` (${hint})`}${
        sentence === '' ? null : html` ${declared(sentence)}`
      }</label
    >
    ${input}
  </div>`;
}

function titleOf({ language: { texts } }: Visit, id: string): Content {
  const [option = '', name] = id.split(':');
  if (name !== undefined) return html`<code>${name}</code>`;
  const titles = {
    client: 'Client',
    source: texts.one.source,
    every: texts.one.every,
    'contract-end': texts.one.contractEnd,
  };
  return titles[option as keyof typeof titles];
}

/** The field's id in the page. A colon would need escaping in a URL. */
function idOf(id: string): string {
  return `field-${id.replace(':', '-')}`;
}
