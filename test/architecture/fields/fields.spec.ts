import { loadRegistry } from '@passerelle/connectors';
import { LISTING_FIELDS } from '@passerelle/domain';
import { expectSection, markdownTable } from '../../support/generated-section';
import { type FieldSource, fieldSources } from './field-sources';

const MOST_PATHS = 6;
const NO_REASON = /^not (?:looked|searched)|\b(?:not yet|yet to|todo|tbd)\b|looked for yet/i;

describe('the fields of a listing', () => {
  let connectors: { code: string; sources: Awaited<ReturnType<typeof fieldSources>> }[];
  beforeAll(async () => {
    const registry = await loadRegistry();
    connectors = await Promise.all(
      registry.list().map(async (connector) => ({ code: connector.code, sources: await fieldSources(connector) })),
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
    // "Not looked for yet" is what a new connector starts with: look, and say what the format has.
    expect(unsaid).toEqual([]);
  });

  it('are explained in the page of the data model, for every connector', () => {
    const rows = LISTING_FIELDS.flatMap((field) =>
      field === 'passerelleName' || field === 'mentions'
        ? []
        : [[`\`${field}\``, ...connectors.map(({ sources }) => cellOf(sources.get(field)))]],
    );
    const head = ['field', ...connectors.map(({ code }) => code)];
    expectSection('docs/data-model.md', 'fields', markdownTable(head, rows));
  });
});

function cellOf(source: FieldSource | undefined): string {
  if (source === undefined || source.isAbsent) return '—';
  const paths = ranges(withoutParents(source.paths)).map((path) => `\`${path}\``);
  const shown =
    paths.length > MOST_PATHS
      ? [...paths.slice(0, MOST_PATHS - 1), `and ${paths.length - MOST_PATHS + 1} more`]
      : paths;
  const beside = withoutParents(source.beside).map((name) => `*${name}*`);
  return [...shown, ...beside].join(' ') || 'fixed';
}

/** A place stands for itself only where nothing below it was looked at. */
function withoutParents(paths: readonly string[]): string[] {
  return paths.filter((path) => path !== '*' && !paths.some((other) => other.startsWith(`${path}.`)));
}

/** Ranks that follow one another, as `85–93`. */
function ranges(paths: readonly string[]): string[] {
  const numbers = paths
    .filter((path) => /^\d+$/.test(path))
    .map(Number)
    .sort((a, b) => a - b);
  const made: string[] = paths.filter((path) => !/^\d+$/.test(path));
  for (let at = 0; at < numbers.length;) {
    let end = at;
    while (numbers[end + 1] === numbers[end]! + 1) end += 1;
    made.push(end - at < 2 ? numbers.slice(at, end + 1).join(' ') : `${numbers[at]}–${numbers[end]}`);
    at = end + 1;
  }
  return made;
}
