import { benchTable, type Check, earlierSection, pageText, sectionText } from './page';
import { type ReportSection, SECTIONS } from './sections';
import { existsSync } from 'node:fs';

const SECTION: ReportSection = {
  title: 'Gate',
  config: 'jest.config.js',
  rows: [
    { subject: 'holds', specs: ['a/gate.spec.ts'] },
    { subject: 'folder', specs: ['b'] },
  ],
};
const FACTS = { commit: 'abc', date: '2026-11-28', node: '24.0.0' };
const CHECKS: Check[] = [
  { spec: 'a/gate.spec.ts', title: 'holds an <empty> feed', status: 'passed' },
  { spec: 'a/gate.spec.ts', title: 'holds half', status: 'failed' },
  { spec: 'b/c.spec.ts', title: 'needs Redis', status: 'skipped' },
];

describe('docs/compliance.md', () => {
  it('counts the checks of each row, and names those that did not pass', () => {
    const text = sectionText(SECTION, CHECKS, FACTS);
    expect(text).toContain('| holds | 1 | 1 | 0 |\n| folder | 0 | 0 | 1 |');
    expect(text).toContain('- holds an \\<empty\\> feed\n- failed: holds half');
    expect(text).toContain('- skipped: needs Redis');
  });

  it('is not written when a row had no check', () => {
    expect(() => sectionText(SECTION, CHECKS.slice(0, 2), FACTS)).toThrow('Gate: no check ran for "folder" (b)');
  });

  it('keeps the earlier result of a section', () => {
    const text = sectionText(SECTION, CHECKS, FACTS);
    expect(earlierSection(pageText([text], ''), 'Gate')).toBe(text);
    expect(earlierSection('', 'Gate')).toBeNull();
  });

  it('has the table of benches, or says that none was run', () => {
    expect(benchTable('x <!-- benches -->\n\n| a |\n\n<!-- /benches --> y')).toMatch(/on\.\n\n\| a \|$/);
    expect(benchTable('<!-- benches -->\n<!-- /benches -->')).toContain('No bench was run');
  });

  it('runs only specs that exist', () => {
    const specs = SECTIONS.flatMap(({ rows }) => rows.flatMap((row) => row.specs));
    expect(specs.filter((path) => !existsSync(path))).toEqual([]);
  });
});
