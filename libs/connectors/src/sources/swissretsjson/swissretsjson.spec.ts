import { join } from 'node:path';
import AdmZip from 'adm-zip';
import { readDropped } from '../../../../../test/support/connectors/read-dropped';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { type ReadFeed, readRecords } from '../../../../../test/support/connectors/read-records';
import { connector as swissrets } from '../swissrets/connector';
import { connector } from './connector';

describeConnector(connector, { fixturesDir: join(__dirname, '__fixtures__') });

type Members = Readonly<Record<string, unknown>>;

const aProperty = (own: Members = {}): Members => ({ id: '1', referenceId: 'R1', type: 'buy', ...own });
const inventory = (properties: readonly Members[], projects?: readonly Members[]): Buffer =>
  Buffer.from(
    JSON.stringify({ created: '2026-03-01T08:00:00Z', generator: { version: '3.6.0' }, properties, projects }),
  );
const read = (own: Members, projects?: readonly Members[]): Promise<ReadFeed> =>
  readRecords(connector, inventory([aProperty(own)], projects));

async function listingOf(own: Members, projects?: readonly Members[]): Promise<Members> {
  const record = (await read(own, projects)).records[0];
  if (record === undefined || !('listing' in record)) throw new Error(JSON.stringify(record));
  return record.listing;
}

describe('a property of a SwissRETS inventory in JSON', () => {
  it('becomes the same listing as with the connector that reads XML and JSON', async () => {
    const own = {
      categories: ['apartment'],
      characteristics: { areaBwf: 80, hasFiberOptic: 'applies' },
      prices: { currency: 'CHF', buy: { price: 650_000 } },
    };
    const file = inventory([aProperty(own)]);
    const [{ records }, other] = [await readRecords(connector, file), await readRecords(swissrets, file)];
    expect(other.records).toEqual(JSON.parse(JSON.stringify(records).replaceAll('swissretsjson', 'swissrets')));
    expect(records).toMatchObject([{ listing: { prix: 650_000, caracteristiques: ['fiber optics'] } }]);
  });

  it.each(['private', 'reference', 'taken', 'withdrawn', 'archived', 'sold'])(
    'is withdrawn when it is %s',
    async (state) => {
      expect((await read({ availability: { state } })).records).toMatchObject([{ withdrawn: '1' }]);
    },
  );

  it('remains after its day of expiration, because unchanged records are not read again', async () => {
    const availability = { state: 'active', start: '2019-06-01T00:00:00Z', expiration: '2020-01-01T00:00:00Z' };
    expect(await listingOf({ availability })).toMatchObject({ affId: '1', disponibilite: '2019-06-01' });
  });

  it('takes its type from the categories, or from the older utilizations when there are no categories', async () => {
    expect(await listingOf({ utilizations: ['parking'] })).toMatchObject({ typeCode: 'parking' });
    expect(await listingOf({ utilizations: ['parking'], categories: ['office'] })).toMatchObject({
      typeCode: 'bureau',
    });
  });

  it('has pictures whose type is an empty text, as in the examples of the schema', async () => {
    const images = [{ url: 'https://p.example/1.jpg', title: '', description: '', mimeType: '' }];
    const { photos } = await listingOf({ localizations: [{ languageCode: 'de', title: '', attachments: { images } }] });
    expect(photos).toMatchObject([{ url: 'https://p.example/1.jpg' }]);
    expect((photos as Members[])[0]).not.toHaveProperty('legende');
  });

  it('inherits missing fields from its unit and project, whether it names the unit by id or referenceId', async () => {
    const units = [{ id: 'u', referenceId: 'unit', localizations: [{ languageCode: 'fr', title: 'Bâtiment B' }] }];
    const project = { referenceId: 'P', units, address: { locality: 'Neuville', postalCode: '2520' } };
    for (const unitReferenceId of ['unit', 'u'])
      expect(await listingOf({ unitReferenceId }, [project])).toMatchObject({
        intitule: 'Bâtiment B',
        ville: 'Neuville',
        neuf: true,
      });
    expect(await listingOf({ unitReferenceId: 'another' }, [project])).not.toHaveProperty('ville');
  });

  it('reports unusual values under the field names of the file', async () => {
    const { warnings } = await read({
      availability: { state: 'someday' },
      categories: ['yurt'],
      prices: { currency: 'CHF', rent: { gross: 100, interval: 'onetime' }, deposit: { amount: 'x1' } },
      localizations: [
        {
          languageCode: 'fr',
          attachments: { images: [{ url: 'file:///a.jpg' }, { url: 'https://p.example/b', mimeType: 'text/html' }] },
        },
      ],
    });
    expect(warnings.sort()).toEqual([
      'implausible_value prices.deposit.amount x1',
      'implausible_value prices.rent.interval onetime',
      'photo_invalid localizations.attachments.images https://p.example/b',
      'photo_missing localizations.attachments.images a.jpg',
      'unknown_word availability.state someday',
      'unknown_word categories yurt',
    ]);
  });

  it('keeps the owner, the contact for visits and the contact for enquiries private', async () => {
    const person = { givenName: 'PRIVATE', email: 'PRIVATE@a.example' };
    const { records, warnings } = await read({
      propertyOwner: { ...person, address: { street: 'PRIVATE' } },
      seller: { inquiryEmail: 'PRIVATE@b.example', inquiryPerson: person, visitPerson: person },
      localizations: [{ languageCode: 'fr', title: 'Villa', visitInformation: 'PRIVATE' }],
    });
    expect(JSON.stringify(records)).not.toContain('PRIVATE');
    // The format declares these members as private, so they cause no warning.
    expect(warnings).toEqual([]);
  });
});

describe('a SwissRETS document in JSON', () => {
  it('may be in an archive with its pictures', async () => {
    const zip = new AdmZip();
    zip.addFile('export/Inventory.JSON', inventory([aProperty()]));
    zip.addFile('notes.xml', Buffer.from('<export/>'));
    const { listings } = await readDropped(connector, zip.toBuffer());
    expect(listings).toMatchObject([{ affId: '1' }]);
  });

  it('is a feed without listings when it has no properties', async () => {
    const { listings, summary } = await readDropped(connector, inventory([]));
    expect([listings, summary.incomplete]).toEqual([[], null]);
  });

  it('is incomplete when it is cut between two properties', async () => {
    const whole = inventory([aProperty(), aProperty({ id: '2' })]).toString();
    const { listings, summary } = await readDropped(connector, whole.slice(0, whole.indexOf(',{"id":"2"')));
    expect([listings.length, summary.incomplete]).toEqual([1, expect.stringMatching(/ends/)]);
  });

  it.each([
    // The schema knows only the whole inventory. A part of the list would withdraw all other properties.
    ['one property without its inventory', JSON.stringify(aProperty()), /properties/],
    ['a list of properties without their inventory', JSON.stringify([aProperty()]), /properties/],
    ['an inventory that does not list its properties', '{"generator":{"version":"3"}}', /properties/],
    ['the XML form', '<export><properties/></export>', /JSON/],
  ])('is refused when it is %s', async (_what, text, message) => {
    await expect(readDropped(connector, text)).rejects.toThrow(message);
  });
});
