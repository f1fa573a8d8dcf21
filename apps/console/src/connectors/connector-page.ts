import { GATEWAY_SETTINGS } from '@passerelle/domain';
import { type Html, html, type Content } from '@passerelle/html';
import { listPath } from '../gateways/list-query';
import { badge, declared, facts, notice, section, table } from '../layout/elements';
import { may, page, type Visit } from '../layout/page';
import { pauseTerms } from '../layout/pause-fields';
import { ratesOf } from './connectors-page';
import type { ConnectorLine } from './known-connectors';

/** The facts about one connector that are needed to add gateways: addresses of feeds, credentials and settings. */
export function connectorPage(visit: Visit, line: ConnectorLine): string {
  const { texts, number, percent } = visit.language;
  const { connectors } = texts;
  const { id, label, type, notes, pause, declaration, failedShare, runs } = line;
  return page(
    visit,
    label,
    html`${
      pause === null ? null : notice('warn', html`${badge('warn', texts.states.paused)} ${pauseTerms(visit, pause)}`)
    }
    ${
      declaration !== null && may(visit, 'operator')
        ? html`<p><a href="/connectors/${encodeURIComponent(id)}/add">${texts.adding.title}</a></p>`
        : null
    }
    ${facts([
      [texts.connector, html`<code>${id}</code>`],
      ['Type', type],
      [texts.nav.gateways, html`<a href="${listPath({ crm: id })}">${number(line.gateways)}</a>`],
      [connectors.failed, failedShare === null ? null : connectors.failedOf(percent(failedShare), number(runs))],
      [connectors.rates, ratesOf(visit, line)],
      [texts.one.source, declaration === null ? null : connectors.sources[declaration.fetch.kind]],
      [connectors.notes, notes === '' ? null : html`<span lang="en">${notes}</span>`],
    ])}
    ${declaration === null ? html`<p class="faint">${connectors.unknown}</p>` : named(visit, declaration)}`,
  );
}

function named(visit: Visit, { credentials, settings }: { credentials: Names; settings: Names }): Content {
  const { one } = visit.language.texts;
  return html`${section(one.credentials, namesTable(visit, one.credentials, credentials))}
  ${section(one.settings, namesTable(visit, one.settings, { ...settings, ...GATEWAY_SETTINGS }))}`;
}

type Names = Readonly<Record<string, string>>;

function namesTable({ language: { texts } }: Visit, title: string, names: Names): Html {
  return table(
    title,
    [
      { title: texts.name, value: ([name]) => html`<code>${name}</code>` },
      {
        title: texts.connectors.notes,
        value: ([, sentence]) => declared(sentence),
      },
    ],
    Object.entries(names),
    texts.none,
  );
}
