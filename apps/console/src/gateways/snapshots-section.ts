import type { ListedSnapshot, RevertGuard } from '@passerelle/database';
import { html, type Content } from '@passerelle/html';
import type { GatewayRow } from '@passerelle/operations';
import { gatewayPath, moment, notice, section, table } from '../layout/elements';
import { csrfField, may, type Visit } from '../layout/page';

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
  return html`<form class="line" method="post" action="${gatewayPath(row)}/revert">
    ${csrfField(visit)}
    <div>
      <label for="to">${texts.snapshots.to}</label>
      <select id="to" name="to">
        ${earlier.map(
          ({ token, publishedAt, total }) =>
            html`<option value="${token}">${language.relative(publishedAt, now)} (${number(total)})</option>`,
        )}
      </select>
    </div>
    <div>
      <label for="revert-reason">${texts.reason}. ${texts.snapshots.hint}</label>
      <input id="revert-reason" name="reason" required maxlength="500" />
    </div>
    <button class="danger">${texts.snapshots.revert}</button>
  </form>`;
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
