import { compareQueries, type FileKind, PhotoQueries, queriedKinds, type QueryRule } from './photo-queries';

type Addresses = Partial<Record<FileKind, readonly string[]>>;

function textsOf(files: Addresses, more: object = {}): { normalized: string; raw: string } {
  const all = Object.entries({ photos: [], ...files }).map(([kind, paths]) => [
    kind,
    paths.map((path) => ({ url: `https://p.example/${path}`, empreinte: path })),
  ]);
  return { normalized: JSON.stringify({ ...(Object.fromEntries(all) as object), ...more }), raw: '{}' };
}

const compare = (before: Addresses, after: Addresses): ReturnType<typeof compareQueries> =>
  compareQueries(textsOf(before), textsOf(after));

describe('compareQueries', () => {
  it.each<FileKind>(['photos', 'plans', 'documents'])('finds new queries of %s', (kind) => {
    const change = compare({ [kind]: ['1.pdf?t=1', '2.pdf?t=1'] }, { [kind]: ['1.pdf?t=2', '2.pdf?t=3'] });
    expect(change).toMatchObject({ changing: [kind], stable: [], isAll: true });
  });

  it('compares plans apart from photos', () => {
    const before = { photos: ['1.jpg?t=1'], plans: ['1.pdf?v=1', '2.pdf?v=1'] };
    expect(compare(before, { ...before, photos: ['1.jpg?t=2'] })).toMatchObject({
      changing: ['photos'],
      stable: ['plans'],
      isAll: true,
    });
    const withNewPlan = { photos: ['1.jpg?t=2'], plans: ['1.pdf?v=2', '2.pdf?v=1'] };
    expect(compare(before, withNewPlan)).toMatchObject({ changing: ['photos'], stable: ['plans'], isAll: false });
  });

  it('learns nothing from a photo with another path', () => {
    const change = compare({ photos: ['1.jpg?t=1'] }, { photos: ['new.jpg?t=2'] });
    expect(change).toMatchObject({ changing: [], stable: [], isAll: false });
  });

  it('sees a change beside new queries', () => {
    const change = compareQueries(textsOf({ photos: ['1.jpg?t=1'] }), textsOf({ photos: ['1.jpg?t=2'] }, { prix: 1 }));
    expect(change).toMatchObject({ changing: ['photos'], isAll: false });
  });
});

it('queriedKinds names the kinds of files that have a query', () => {
  const { normalized } = textsOf({ photos: ['1.jpg'], documents: ['1.pdf?t=1'] }, { url: 'https://p.example/?id=1' });
  expect(queriedKinds(normalized)).toEqual(['documents']);
});

describe('PhotoQueries', () => {
  const change = compare({ photos: ['1.jpg?t=1'] }, { photos: ['1.jpg?t=2'] });
  const unversioned = (rule: QueryRule, found: FileKind[] = []): Promise<number[]> => {
    const queries = new PhotoQueries((row) => `id-${row}`, rule);
    queries.note(7, change);
    return queries.unversioned([7, 8], () => Promise.resolve(found));
  };

  it('does not count the queries of one listing when no other listing kept one', async () => {
    expect(await unversioned({})).toEqual([7]);
    expect(await unversioned({}, ['photos'])).toEqual([]);
  });

  it('counts queries that the format calls versions, and queries that the last run has seen', async () => {
    expect(await unversioned({ areVersions: true })).toEqual([]);
    expect(await unversioned({ known: { 'id-7': change.addresses } })).toEqual([]);
    expect(await unversioned({ known: { 'id-7': 'other' } })).toEqual([7]);
  });
});
