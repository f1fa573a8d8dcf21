import { loadRegistry } from '@passerelle/connectors';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectFile, expectSection, markdownTable } from '../../support/generated-section';
import { connectorPage, fieldsTable } from './field-pages';
import { fieldSources } from './field-sources';

const PAGES = 'docs/connectors';
const HEAD =
  '# Connectors: where each field comes from\n\nEach page lists what a connector reads for each field of [a listing](../data-model.md). `npm run docs` writes these pages from the mappings and their fixtures.';
const NO_REASON = /^not (?:looked|searched)|\b(?:not yet|yet to|todo|tbd)\b|mapped yet/i;

describe('the fields of a listing', () => {
  let connectors: { code: string; label: string; sources: Awaited<ReturnType<typeof fieldSources>> }[];
  beforeAll(async () => {
    const registry = await loadRegistry();
    connectors = await Promise.all(
      registry.list().map(async (connector) => ({
        code: connector.code,
        label: connector.label,
        sources: await fieldSources(connector),
      })),
    );
  });

  it('are shown each by a fixture of every connector that has it', () => {
    const unseen: string[] = [];
    for (const { code, sources } of connectors) {
      for (const [field, { isSeen, isAbsent }] of sources) {
        if (!isSeen && !isAbsent) unseen.push(`${code} ${field}`);
      }
    }
    // A field that no fixture shows is one that nobody has seen work: add a record that has it.
    expect(unseen).toEqual([]);
  });

  it('are absent for a reason that is said of the format, by every connector', () => {
    const unsaid: string[] = [];
    for (const { code, sources } of connectors) {
      for (const [field, { absence }] of sources) {
        if (absence !== undefined && (absence.trim() === '' || NO_REASON.test(absence)))
          unsaid.push(`${code} ${field}`);
      }
    }
    // "Not mapped yet" is what a new connector starts with: look, and say what the format has.
    expect(unsaid).toEqual([]);
  });

  it('are listed in docs/data-model.md with type, unit and meaning', () => {
    expectSection('docs/data-model.md', 'fields', fieldsTable());
  });

  it('are explained in one page per connector', () => {
    for (const { code, label, sources } of connectors) {
      expectFile(`${PAGES}/${code}.md`, connectorPage(code, label, sources));
    }
    const rows = connectors.map(({ code, label, sources }) => [
      `[${code}](${code}.md)`,
      label,
      String([...sources.values()].filter(({ isAbsent }) => !isAbsent).length),
    ]);
    expectFile(`${PAGES}/README.md`, `${HEAD}\n\n${markdownTable(['connector', 'reads', 'fields'], rows)}\n`);
  });

  it('have no page of a connector that does not exist', () => {
    const pages = readdirSync(join(__dirname, '../../..', PAGES)).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual(connectors.map(({ code }) => `${code}.md`).sort());
  });
});
