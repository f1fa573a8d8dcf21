import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): unknown => JSON.parse(readFileSync(join(__dirname, path), 'utf8'));
/** The identifiers of the listings of each fixture before one record could become two listings. Never change a line. */
const KEPT = Object.entries(read('kept-ids.json') as Record<string, string>);
const SECOND_OFFER = /-(?:location|location-saisonniere|vente|investissement|enchere)$/;

it('every fixture keeps the identifiers of its listings, and adds only those of second offers', () => {
  const differences: string[] = [];
  for (const [fixture, line] of KEPT) {
    const kept = line.split(' ').filter((id) => id !== '');
    const now = idsOf(fixture);
    const isExplained = (id: string): boolean => kept.includes(id) || kept.includes(id.replace(SECOND_OFFER, ''));
    differences.push(...kept.filter((id) => !now.includes(id)).map((id) => `${fixture}: ${id} is gone`));
    differences.push(...now.filter((id) => !isExplained(id)).map((id) => `${fixture}: ${id} is new`));
  }
  expect(differences).toEqual([]);
});

function idsOf(fixture: string): string[] {
  const [connector = '', file = ''] = fixture.split('/');
  const expected = read(`../sources/${connector}/__fixtures__/${file}.expected.json`);
  return Object.values(expected as object)
    .flat()
    .flatMap((one: unknown) => (one as { listing?: { affId: string } } | null)?.listing?.affId ?? []);
}
