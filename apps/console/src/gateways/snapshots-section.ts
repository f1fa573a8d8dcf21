import type { ListedSnapshot, RevertGuard, RevertPreview } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import type { GatewayRow } from '@passerelle/operations';
import { gatewayLink, gatewayPath, moment, notice, section, table } from '../layout/elements';
import { csrfField, may, page, type Visit } from '../layout/page';
import { cardSections } from '../runs/listing-cards';

export function snapshotsSection(visit: Visit, row: GatewayRow, kept: readonly ListedSnapshot[]): Content {
  const { texts, number } = visit.language;
  const { snapshots } = texts;
  if (kept.length === 0) return null;
  return section(
    snapshots.title,
    html`${table<ListedSnapshot>(
      snapshots.title,
      [
        { title: snapshots.published, value: ({ publishedAt }) => moment(visit, publishedAt) },
        { title: snapshots.listings, value: ({ total }) => number(total), isFigure: true },
        { title: snapshots.changes, value: changesOf },
        { title: 'Token', value: ({ token }) => html`<code>${token}</code>` },
        {
          title: texts.state,
          value: ({ isCurrent, approved }) =>
            [isCurrent ? snapshots.served : '', approved ? snapshots.approved : ''].filter(Boolean).join(', '),
        },
      ],
      kept,
      texts.nothing,
    )}
    ${revertForm(visit, row, kept)}`,
  );
}

function changesOf({ added, changed, removed }: ListedSnapshot): string {
  return added === null ? '' : `+${added} ~${changed ?? 0} -${removed ?? 0}`;
}

function revertForm(visit: Visit, row: GatewayRow, kept: readonly ListedSnapshot[]): Content {
  const { language, now } = visit;
  const { texts, number } = language;
  const earlier = kept.filter(({ isCurrent }) => !isCurrent);
  if (earlier.length === 0 || !row.active || !may(visit, 'operator')) return null;
  return html`<form class="line" method="get" action="${gatewayPath(row)}/revert">
    <div>
      <label for="to">${texts.snapshots.to}</label>
      <select id="to" name="to">
        ${earlier.map(
          ({ token, publishedAt, total }) =>
            html`<option value="${token}">${language.relative(publishedAt, now)} (${number(total)})</option>`,
        )}
      </select>
    </div>
    <button class="second">${texts.snapshots.preview}</button>
  </form>`;
}

/** The effect of going back to a list, before an operator confirms it. */
export function revertPage(
  visit: Visit,
  row: GatewayRow,
  target: ListedSnapshot,
  { counts, cards }: RevertPreview,
): string {
  const { language, now } = visit;
  const { texts, number } = language;
  const { snapshots } = texts;
  const { removed, added, changed } = counts;
  return page(
    visit,
    snapshots.titleOf(`${row.crm}/${row.client}`),
    html`<p>${gatewayLink(row)}</p>
      ${notice(
        'warn',
        snapshots.effect(language.relative(target.publishedAt, now), number(removed), number(added), number(changed)),
      )}
      <p class="faint">${snapshots.afterwards}</p>
      <form class="line" method="post" action="${gatewayPath(row)}/revert">
        ${csrfField(visit)}<input type="hidden" name="to" value="${target.token}" />
        <div>
          <label for="revert-reason">${texts.reason}. ${texts.reasonHint}</label>
          <input id="revert-reason" name="reason" required maxlength="500" />
        </div>
        <button class="danger">${snapshots.revert}</button>
      </form>
      ${cardSections(visit, row, counts, cards)}`,
  );
}

export function guardSection(visit: Visit, row: GatewayRow, guard: RevertGuard | null): Content {
  if (guard === null) return null;
  const { language, now } = visit;
  const { snapshots, reason } = language.texts;
  return html`${notice('warn', snapshots.guarded(language.relative(guard.since, now)))}
  ${
    may(visit, 'operator')
      ? html`<form class="acts" method="post" action="${gatewayPath(row)}/release">
          ${csrfField(visit)}<span
            ><label for="release-reason">${reason}</label
            ><input id="release-reason" name="reason" maxlength="500" /></span
          ><button class="second">${snapshots.release}</button>
        </form>`
      : null
  }`;
}
