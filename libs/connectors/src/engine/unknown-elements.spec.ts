import type { Slice } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { sliceJson, sliceXml } from './cut/slicers';
import type { XmlSlicing } from './cut/xml-scanner';
import { loadConnector } from './registry';
import { readDropped } from '../../../../test/support/connectors/read-dropped';

async function unknownIn(slices: AsyncIterable<Slice>): Promise<string[]> {
  const found: string[] = [];
  for await (const slice of slices) if (slice.kind === 'unknown') found.push(`${slice.name} ×${slice.count}`);
  return found;
}

const inXml = (xml: string, slicing: Partial<XmlSlicing> = {}): Promise<string[]> =>
  unknownIn(sliceXml(feedDocument(xml), { root: 'root', record: 'property', ...slicing }));
const RECORD = '<property><id>1</id></property>';
const OTHER = '<new_build><id>2</id></new_build>';

describe('sliceXml', () => {
  it.each<[string, string, Partial<XmlSlicing>, string[]]>([
    ['an unknown kind of record', `${RECORD}${OTHER}${OTHER}`, {}, ['new_build ×2']],
    ['an unknown kind of record before the known records', `${OTHER}${RECORD}`, {}, ['new_build ×1']],
    ['a record name in another case', `${RECORD}<Property><id>3</id></Property>`, {}, ['Property ×1']],
    ['an unknown kind of record in a document without known records', OTHER, {}, ['new_build ×1']],
    [
      'another list beside the list of records',
      `<sales>${RECORD}</sales><lets><let><id>4</id></let></lets>`,
      { recordParents: ['sales'] },
      ['lets ×1'],
    ],
    [
      'a record outside the list of records',
      `<sales>${RECORD}</sales>${RECORD}`,
      { recordParents: ['sales'] },
      ['property ×1'],
    ],
    [
      'unknown records in a list without known records',
      `<sales>${OTHER}</sales>`,
      { recordParents: ['sales'] },
      ['new_build ×1'],
    ],
  ])('counts %s', async (_what, xml, slicing, expected) => {
    expect(await inXml(`<root>${xml}</root>`, slicing)).toEqual(expected);
  });

  it.each<[string, string, Partial<XmlSlicing>]>([
    ['an element that the format declares', `<head><version>3</version></head>${RECORD}`, { beside: ['head'] }],
    ['a context element', `<agent><name>A</name></agent>${RECORD}`, { context: ['agent'] }],
    ['an element with only text, or without content', `<created>2026</created><empty/>${RECORD}`, {}],
    ['an element that contains records', `<page><list>${RECORD}</list></page>`, {}],
    ['the content of an element that the format declares', `<head><a><b/></a></head>${RECORD}`, { beside: ['head'] }],
  ])('does not count %s', async (_what, xml, slicing) => {
    expect(await inXml(`<root>${xml}</root>`, slicing)).toEqual([]);
  });

  it('counts all further names together when there are more than 20', async () => {
    const kinds = Array.from({ length: 30 }, (_, kind) => `<kind${kind}><id/></kind${kind}>`).join('');
    const found = await inXml(`<root>${kinds}</root>`);
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe('… ×10');
  });
});

it('sliceJson counts the objects of a list that the format does not declare', async () => {
  const json = JSON.stringify({
    ...{ total: 1, notes: ['a', 'b'], meta: { rows: [{ a: 1 }] }, agents: [{ id: 9 }] },
    ...{ rental: [{ id: 2, photos: [{ a: 1 }] }, { id: 3 }], sales: [{ id: 1 }] },
  });
  const slices = sliceJson(feedDocument(json), { records: 'sales', beside: ['agents'] });
  expect(await unknownIn(slices)).toEqual(['rental ×2']);
});

describe('a feed with elements that its format does not read', () => {
  const feed = (inside: string): string => `<root><kyero><feed_version>3</feed_version></kyero>${inside}</root>`;

  it('lists these elements in its warnings and its summary, and their names in its memory', async () => {
    const { listings, warnings, summary } = await readDropped(
      loadConnector('kyero'),
      feed(`${RECORD}${OTHER}${OTHER}`),
    );
    expect(listings).toHaveLength(1);
    expect(warnings).toContain('unknown_element new_build ×2');
    expect(summary).toMatchObject({
      unknownElements: { new_build: 2 },
      memory: { unknownElements: ['new_build'] },
    });
  });

  it('keeps an empty list of names in its memory when there are no such elements', async () => {
    const { summary } = await readDropped(loadConnector('kyero'), feed(RECORD));
    expect(summary).toMatchObject({ unknownElements: {}, memory: { unknownElements: [] } });
  });
});

describe('a DOCTYPE', () => {
  const read = (doctype: string): Promise<unknown> =>
    readDropped(loadConnector('kyero'), `<?xml version="1.0"?>${doctype}<root>${RECORD}</root>`);

  it.each([
    '<!DOCTYPE root>',
    '<!DOCTYPE root SYSTEM "http://vendor.example/feed.dtd">',
    "<!DOCTYPE root SYSTEM 'a > b [c]'>",
    '<!DOCTYPE root PUBLIC "-//V//DTD Feed//EN" "http://vendor.example/feed.dtd" >',
  ])('is ignored when it has no declarations: %s', async (doctype) => {
    expect(await read(doctype)).toMatchObject({ listings: [{ affId: '1' }], summary: { incomplete: null } });
  });

  it.each([
    '<!DOCTYPE root [<!ENTITY e "e">]>',
    '<!DOCTYPE root SYSTEM "feed.dtd" [<!ENTITY % e SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE root []>',
    `<!DOCTYPE root SYSTEM "${'x'.repeat(5_000)}">`,
    '<!ENTITY e "e">',
  ])('is refused when it declares something: %.40s', async (doctype) => {
    await expect(read(doctype)).rejects.toThrow(/is refused/);
  });
});
