import type { ReportSection } from './sections';

export interface Check {
  spec: string;
  title: string;
  status: 'passed' | 'failed' | 'skipped';
}

/** Names of one run: where and when its figures were made. */
export interface RunFacts {
  commit: string;
  /** `YYYY-MM-DD`. */
  date: string;
  node: string;
}

const START = (title: string): string => `<!-- ${title} -->`;
const END = (title: string): string => `<!-- /${title} -->`;

/** The text of a section: figures by row, then the title of every check. */
export function sectionText({ title, rows }: ReportSection, checks: readonly Check[], facts: RunFacts): string {
  const found = rows.map(({ subject, specs }) => {
    const own = checks.filter(({ spec }) => specs.some((path) => spec === path || spec.startsWith(`${path}/`)));
    if (own.length === 0) throw new Error(`${title}: no check ran for "${subject}" (${specs.join(', ')})`);
    return { subject, own };
  });
  const table = found.map(({ subject, own }) => {
    const count = (status: Check['status']): number => own.filter((check) => check.status === status).length;
    return `| ${subject} | ${count('passed')} | ${count('failed')} | ${count('skipped')} |`;
  });
  const lists = found.flatMap(({ subject, own }) => [`**${subject}**`, '', ...own.map(lineOf), '']);
  return [
    START(title),
    `## ${title}`,
    '',
    `Commit ${facts.commit}, ${facts.date}, Node ${facts.node}.`,
    '',
    '|  | passed | failed | skipped |',
    '|---|---|---|---|',
    ...table,
    '',
    '<details><summary>Every check</summary>',
    '',
    ...lists,
    '</details>',
    '',
    END(title),
  ].join('\n');
}

function lineOf({ title, status }: Check): string {
  const text = title.replace(/([<>|`*_[\]\\])/g, '\\$1').replace(/\s+/g, ' ');
  return status === 'passed' ? `- ${text}` : `- ${status}: ${text}`;
}

/** The section that an earlier run has written; null if there is none. */
export function earlierSection(page: string, title: string): string | null {
  const [start, end] = [page.indexOf(START(title)), page.indexOf(END(title))];
  return start < 0 || end < start ? null : page.slice(start, end + END(title).length);
}

/** The table of benches of docs/performance.md, with the commit and date of each line. */
export function benchTable(performance: string): string {
  const [, after = ''] = performance.split('<!-- benches -->');
  const table = after.split('<!-- /benches -->')[0]?.trim() ?? '';
  const text = table === '' ? 'No bench was run for this release: `npm run bench -- --write`.' : table;
  return `## Performance\n\nRatios to a reference of the same run, with the default settings, over HTTP, with logs on.\n\n${text}`;
}

export function pageText(sections: readonly string[], performance: string): string {
  const head = [
    '# Compliance',
    '',
    '`npm run report` writes this page from the results of the tests; nothing in it is typed by hand. It runs the sections of',
    'the short tests. `npm run report -- --all` also runs browsers and drills, and takes hours. A section that did not run keeps',
    'its earlier result, with its commit and date.',
  ].join('\n');
  return `${[head, ...sections, benchTable(performance)].join('\n\n')}\n`;
}
