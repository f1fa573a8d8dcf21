import type { ConnectorOutcomes, ServerFacts, TableOnDisk } from '@passerelle/database';
import { type Html, html, type Content } from '@passerelle/html';
import { RELEASE, type ShownSetting } from '@passerelle/settings';
import type { FoundInstallation } from '../board/services';
import { declared, facts, moment, section, table } from '../layout/elements';
import { page, type Visit } from '../layout/page';

export interface About {
  url: string;
  refreshEverySeconds: number;
  settings: readonly ShownSetting[];
  storage: readonly TableOnDisk[];
  /** Over the last day. */
  outcomes: readonly ConnectorOutcomes[];
  installation: FoundInstallation;
  connectors: readonly { id: string; label: string; type: string; notes: string }[];
}

export function aboutPage(visit: Visit, about: About): string {
  const { url, refreshEverySeconds, settings, connectors, installation } = about;
  const { server, backupAt } = installation;
  const { texts, span } = visit.language;
  const list = table(
    texts.about.connectors,
    [
      { title: texts.connector, value: ({ id }) => html`<code>${id}</code>` },
      { title: texts.name, value: ({ label }) => label },
      { title: 'Type', value: ({ type }) => type },
      { title: texts.about.notes, value: ({ notes }) => html`<span lang="en">${notes}</span>` },
    ],
    connectors,
    texts.nothing,
  );
  const setting = table(
    texts.about.settings,
    [
      { title: texts.name, value: ({ name }) => html`<code>${name}</code>` },
      { title: texts.about.value, value: (one) => shownValue(visit, one) },
      {
        title: texts.connectors.notes,
        value: ({ about }) => declared(about),
      },
    ],
    settings,
    texts.nothing,
  );
  return page(
    visit,
    texts.nav.about,
    html`${facts([
      [texts.about.url, html`<code>${url}</code>`],
      ['Passerelle', RELEASE],
      ['Node.js', process.version],
      [texts.about.programs, programsOf(server)],
      [texts.about.database, `PostgreSQL ${server.version}, ${sizeOf(visit, server.bytes)}`],
      [texts.about.schema, schemaOf(visit, server)],
      [texts.about.backup, moment(visit, backupAt)],
      [texts.about.period, span(refreshEverySeconds)],
    ])}
    ${section(texts.about.storage, storageOf(visit, about))} ${section(texts.about.settings, setting)}
    ${section(texts.about.connectors, list)}`,
  );
}

function programsOf({ sessions }: ServerFacts): string {
  return sessions.map(({ program, release, processes }) => `${processes} × ${program} ${release ?? '?'}`).join(', ');
}

function schemaOf({ language: { texts } }: Visit, { missing, ahead, newest }: ServerFacts): string {
  const { about } = texts;
  const parts = [
    ...(newest === null ? [] : [about.schemaOf(newest)]),
    ...(missing.length === 0 ? [] : [about.schemaLacks(missing.join(', '))]),
    ...(ahead.length === 0 ? [] : [about.schemaAhead(ahead.join(', '))]),
  ];
  return parts.join('; ');
}

const SHOWN_TABLES = 12;
/** Each version of a listing has a row in each of these tables. */
const VERSION_TABLES = ['listing_version', 'listing_normalized', 'listing_raw', 'listing_search', 'listing_change'];

/** The largest tables, and their growth in the last day. */
function storageOf(visit: Visit, { storage, outcomes }: About): Html {
  const { texts, number } = visit.language;
  const { about } = texts;
  const sum = (of: (one: ConnectorOutcomes) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const bytesOfRow = (name: string): number => {
    const { bytes = 0, rows = 0 } = storage.find((stored) => stored.name === name) ?? {};
    return rows === 0 ? 0 : bytes / rows;
  };
  const runs = sum((one) => one.runs);
  const versions = sum(({ added, changed }) => added + changed);
  const grown =
    runs * bytesOfRow('run') + versions * VERSION_TABLES.reduce((total, name) => total + bytesOfRow(name), 0);
  return html`<p>${about.growth(number(runs), number(versions), sizeOf(visit, grown))}</p>
    ${table(
      about.storage,
      [
        { title: about.table, value: ({ name }) => html`<code>${name}</code>` },
        { title: about.size, value: ({ bytes }) => sizeOf(visit, bytes), isFigure: true },
        { title: about.rows, value: ({ rows }) => number(rows), isFigure: true },
      ],
      storage.slice(0, SHOWN_TABLES),
      texts.nothing,
    )}`;
}

function sizeOf({ language }: Visit, bytes: number): string {
  return bytes < 2 ** 30
    ? `${language.number(Math.round(bytes / 2 ** 20))} MiB`
    : `${language.number(Math.round((10 * bytes) / 2 ** 30) / 10)} GiB`;
}

/** The value of a setting; for a secret, only whether it is set. */
function shownValue({ language }: Visit, { value, isSecret, isSet }: ShownSetting): Content {
  const { about } = language.texts;
  if (isSecret) return isSet ? about.secret : about.unset;
  if (value === null) return about.unset;
  return html`<code>${value}</code>${isSet ? null : html` <small>${about.byDefault}</small>`}`;
}
