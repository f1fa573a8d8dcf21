import { type Connector, loadRegistry } from '@passerelle/connectors';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expectFile, expectSection, markdownTable } from '../../support/generated-section';
import { connectorPage, fieldsTable } from './field-pages';
import { fieldSources } from './field-sources';

const PAGES = 'docs/connectors';
const HEAD =
  '# Connectors: where each field comes from\n\nEach page lists what a connector reads for each field of [a listing](../data-model.md). `npm run docs` writes these pages from the mappings and their fixtures. The last column says whether an upgrade can map listings again from their stored raw records, without the source ([decision 84](../decisions/0084-remap-from-stored-records.md)).';
const NO_REASON = /^not (?:looked|searched)|\b(?:not yet|yet to|todo|tbd)\b|mapped yet/i;

function sayRemap({ remap = { not: '' } }: Connector): string {
  return 'not' in remap ? `no: ${remap.not}` : `since version ${String(remap.since)}`;
}

describe('listing fields', () => {
  let connectors: { code: string; label: string; remap: string; sources: Awaited<ReturnType<typeof fieldSources>> }[];
  beforeAll(async () => {
    const registry = await loadRegistry();
    connectors = await Promise.all(
      registry.list().map(async (connector) => ({
        code: connector.code,
        label: connector.label,
        remap: sayRemap(connector),
        sources: await fieldSources(connector),
      })),
    );
  });

  it('appear in a fixture of every connector that has them', () => {
    const unseen: string[] = [];
    for (const { code, sources } of connectors) {
      for (const [field, { isSeen, isAbsent }] of sources) {
        if (!isSeen && !isAbsent) unseen.push(`${code} ${field}`);
      }
    }
    // Without a fixture, no test shows that the mapping of the field works: add a record that has the field.
    expect(unseen).toEqual([]);
  });

  it('have a reason from the format for each connector that lacks them', () => {
    const unsaid: string[] = [];
    for (const { code, sources } of connectors) {
      for (const [field, { absence }] of sources) {
        if (absence !== undefined && (absence.trim() === '' || NO_REASON.test(absence)))
          unsaid.push(`${code} ${field}`);
      }
    }
    // A new connector starts with the reason "not mapped yet": replace it by a reason from the format.
    expect(unsaid).toEqual([]);
  });

  it('are listed in docs/data-model.md with type, unit and meaning', () => {
    expectSection('docs/data-model.md', 'fields', fieldsTable());
  });

  it('are explained on one page per connector', () => {
    for (const { code, label, sources } of connectors) {
      expectFile(`${PAGES}/${code}.md`, connectorPage(code, label, sources));
    }
    const rows = connectors.map(({ code, label, sources, remap }) => [
      `[${code}](${code}.md)`,
      label,
      String([...sources.values()].filter(({ isAbsent }) => !isAbsent).length),
      remap,
    ]);
    expectFile(
      `${PAGES}/README.md`,
      `${HEAD}\n\n${markdownTable(['connector', 'reads', 'fields', 'mapped again from stored records'], rows)}\n`,
    );
  });

  it('have no page for a connector that does not exist', () => {
    const pages = readdirSync(join(__dirname, '../../..', PAGES)).filter((name) => name !== 'README.md');
    expect(pages.sort()).toEqual(connectors.map(({ code }) => `${code}.md`).sort());
  });
});
