import type { SavedView } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import { csrfField, may, type Visit } from '../layout/page';
import { listPath, type ListQuery } from './list-query';

export function savedViewsSection(visit: Visit, query: ListQuery, views: readonly SavedView[]): Content {
  const { views: texts } = visit.language.texts;
  const here = listPath({ ...query, page: 1 });
  const pathOf = (view: SavedView): string => (view.query === '' ? '/gateways' : `/gateways?${view.query}`);
  const current = views.find((view) => pathOf(view) === here);
  const links =
    views.length === 0
      ? null
      : html`<nav aria-label="${texts.title}">
          ${views.map(
            (view) =>
              html`<a href="${pathOf(view)}" ${view === current ? html`aria-current="page"` : null}>${view.name}</a>`,
          )}
        </nav>`;
  if (!may(visit, 'operator')) return links;
  const { q = '', state = '', crm = '', sort, isReversed } = query;
  return html`${links}
    <details>
      <summary>${texts.keep}…</summary>
      <form class="line" method="post" action="/gateways/views">
        ${csrfField(visit)}<input type="hidden" name="q" value="${q}" /><input
          type="hidden"
          name="state"
          value="${state}"
        />
        <input type="hidden" name="crm" value="${crm}" />
        <input type="hidden" name="sort" value="${isReversed ? '-' : ''}${sort}" />
        <div>
          <label for="view">${texts.name}</label>
          <input id="view" name="name" required maxlength="60" value="${current?.name ?? ''}" />
        </div>
        <button name="act" value="save">${texts.keep}</button>
        ${current === undefined ? null : html`<button class="danger" name="act" value="remove">${texts.remove}</button>`}
      </form>
    </details>`;
}
