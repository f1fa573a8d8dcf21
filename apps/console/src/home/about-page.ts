import { html, type Part } from '@passerelle/html';
import { RELEASE, type ShownSetting } from '@passerelle/settings';
import { facts, section, table } from '../layout/parts';
import { page, type Visit } from '../layout/page';

export interface About {
  url: string;
  refreshEverySeconds: number;
  settings: readonly ShownSetting[];
  connectors: readonly { id: string; label: string; type: string; notes: string }[];
}

/** What runs here, as far as it is no secret. */
export function aboutPage(visit: Visit, { url, refreshEverySeconds, settings, connectors }: About): string {
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
      { title: texts.about.notes, value: ({ about }) => html`<span lang="en">${about.replaceAll('`', '')}</span>` },
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
      [texts.about.period, span(refreshEverySeconds)],
    ])}
    ${section(texts.about.settings, setting)} ${section(texts.about.connectors, list)}`,
  );
}

/** A secret only says that it is there. */
function shownValue({ language }: Visit, { value, isSecret, isSet }: ShownSetting): Part {
  const { about } = language.texts;
  if (isSecret) return isSet ? about.secret : about.unset;
  if (value === null) return about.unset;
  return html`<code>${value}</code>${isSet ? null : html` <small>${about.byDefault}</small>`}`;
}
