import type { AuditedChange, AuditFilter } from '@passerelle/database';
import { AUDIT_ACTS, type AuditValues } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { exactMoment, gatewayLink, table } from '../layout/elements';
import { page, type Visit } from '../layout/page';

/** Changes, one per line. */
export function changesTable(visit: Visit, changes: readonly AuditedChange[]): Html {
  const { texts } = visit.language;
  const { audit } = texts;
  return table(
    texts.nav.audit,
    [
      { title: audit.when, value: ({ at }) => exactMoment(at) },
      { title: audit.who, value: ({ who }) => who },
      { title: audit.through, value: ({ through }) => audit.ways[through] },
      { title: audit.what, value: (change) => whatOf(visit, change) },
      { title: audit.before, value: ({ before }) => valuesOf(before) },
      { title: audit.after, value: ({ after }) => valuesOf(after) },
      { title: texts.reason, value: ({ reason }) => reason },
    ],
    changes,
    texts.nothing,
  );
}

/** Acts whose parts request runs. */
const RUN_ACTS: readonly string[] = ['ingest', 'retry'];

function whatOf(
  { language: { texts } }: Visit,
  { id, act, crm, client, runId, partOf, hasParts }: AuditedChange,
): Content {
  const gateway = crm === null || client === null ? null : gatewayLink({ crm, client });
  return html`<code>${act}</code> ${gateway} ${runId === null ? null : html`<a href="/runs/${runId}">№ ${runId}</a>`}
    ${hasParts ? html`<a href="/audit?part_of=${id}">${texts.audit.parts}</a>` : null}
    ${hasParts && RUN_ACTS.includes(act) ? html`<a href="/runs/batches/${id}">${texts.batch.title}</a>` : null}
    ${partOf === null ? null : html`<span class="faint">${texts.audit.partOf(partOf)}</span>`}`;
}

function valuesOf(values: AuditValues | null): Content {
  return Object.entries(values ?? {}).map(([name, value]) => html`<code>${name}=${String(value)}</code> `);
}

export interface AuditList {
  wanted: AuditFilter;
  changes: readonly AuditedChange[];
  /** The URL of the page with older changes; null when there are none. */
  older: string | null;
  csv: string;
}

export function auditPage(visit: Visit, { wanted, changes, older, csv }: AuditList): string {
  const { texts } = visit.language;
  const { audit } = texts;
  return page(
    visit,
    texts.nav.audit,
    html`<form class="line" method="get" action="/audit" role="search">
        <div>
          <label for="who">${audit.who}</label>
          <input id="who" name="who" value="${wanted.who ?? ''}" maxlength="100" placeholder="${audit.everybody}" />
        </div>
        <div>
          <label for="act">${audit.what}</label>
          <select id="act" name="act">
            <option value="">${texts.all}</option>
            ${AUDIT_ACTS.map((act) => html`<option ${act === wanted.act ? html`selected` : null}>${act}</option>`)}
          </select>
        </div>
        <div>
          <label for="until">${audit.until}</label>
          <input id="until" name="until" type="date" value="${wanted.until ?? ''}" />
        </div>
        <button>${audit.filter}</button>
        <a href="${csv}">${audit.csv}</a>
      </form>
      ${changesTable(visit, changes)}
      ${older === null ? null : html`<p class="pages"><a href="${older}">${audit.older}</a></p>`}`,
  );
}
