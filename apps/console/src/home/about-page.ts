import { html } from '@passerelle/html';
import { facts, section, table } from '../layout/parts';
import { page, type Visit } from '../layout/page';

export interface About {
  url: string;
  refreshEverySeconds: number;
  connectors: readonly { id: string; label: string; type: string; notes: string }[];
}

/** What runs here, as far as it is no secret. */
export function aboutPage(visit: Visit, { url, refreshEverySeconds, connectors }: About): string {
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
  return page(
    visit,
    texts.nav.about,
    html`${facts([
      [texts.about.url, html`<code>${url}</code>`],
      ['Node.js', process.version],
      [texts.about.period, span(refreshEverySeconds)],
    ])}
    ${section(texts.about.connectors, list)}`,
  );
}
