import { html, type Content } from '@passerelle/html';
import type { ShownRun } from '@passerelle/operations';
import { badge, section, table } from '../layout/elements';
import type { Visit } from '../layout/page';

const TONES = { debug: '', info: 'good', warn: 'warn' } as const;

/** The newest log lines of the ingestor about a run, unchanged. */
export function logSection({ language: { texts } }: Visit, { log }: ShownRun): Content {
  const { run } = texts;
  if (log === null) return null;
  return section(
    run.log,
    html`<p class="faint">${run.logHint}</p>
      ${log.earlier === 0 ? null : html`<p class="faint">${run.earlierLines(log.earlier)}</p>`}
      ${table(
        run.log,
        [
          { title: 'UTC', value: ({ at }) => html`<time datetime="${at}">${at.slice(11, 23)}</time>` },
          { title: '', value: ({ level }) => badge(TONES[level], level) },
          { title: run.message, value: ({ text }) => html`<code lang="en">${text}</code>` },
        ],
        log.lines,
        texts.nothing,
      )}`,
  );
}
