import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConnector } from '../../../../../test/support/connectors/describe-connector';
import { readRecord, type RecordResult } from '../../../../../test/support/connectors/read-records';
import { recordingContext } from '../../../../../test/support/connectors/recording-context';
import { connector } from './connector';
import { estatesOf } from './estates';

const fixturesDir = join(__dirname, '__fixtures__');
describeConnector(connector, { fixturesDir });

const [ESTATE] = (JSON.parse(readFileSync(join(fixturesDir, 'estates.json'), 'utf8')) as { estates: [object] }).estates;

function read(members: object): RecordResult & { warnings: string[] } {
  const { context, warnings } = recordingContext('sweepbright');
  const record = Buffer.from(JSON.stringify({ ...ESTATE, ...members }));
  return { ...readRecord(connector, record, context), warnings };
}

describe('SweepBright estate', () => {
  it.each([
    [{ status: 'sold' }, 'status: sold'],
    [{ status: 'rented' }, 'status: rented'],
    [{ publish_status: 'private' }, 'publish_status: private'],
  ])('is not shown when it has %j', (members, message) => {
    expect(read(members)).toMatchObject({ message });
  });

  it('gives the area of a plot in m² when its unit is the are', () => {
    expect(read({ sizes: { plot_area: { size: 42, unit: 'are' } } })).toMatchObject({
      listing: { surfaceTerrain: 4200 },
    });
  });

  it('has no amount, in raw either, when a custom price replaces it', () => {
    const result = read({
      custom_price: 'Prix sur demande',
      price: { amount: 250000, currency: 'EUR', hidden: false },
    });
    expect(result).toMatchObject({ listing: { prixSurDemande: true, prixMention: 'Prix sur demande' } });
    expect(JSON.stringify(result)).not.toContain('250000');
  });

  it('omits recurring costs with a warning when the rent is weekly', () => {
    const result = read({ negotiation: 'let', rent_period: 'week', price_recurring_costs: { amount: 80 } });
    expect(result).not.toHaveProperty('listing.charges');
    expect(result.warnings).toContain('implausible_value price_recurring_costs.amount 80: the rent is not monthly');
  });

  it.each([
    [{ buyer_percentage: 5 }, { honoraires: 5, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' }],
    [{ buyer_fixed_fee: 9000 }, { honoraires: 9000, honorairesUnite: 'montant', honorairesCharge: 'acquereur' }],
  ])('has the fees of the buyer when it has %j', (members, expected) => {
    expect(read({ negotiation: 'sale', ...members })).toMatchObject({ listing: expected, warnings: [] });
    expect(read({ negotiation: 'let', ...members })).not.toHaveProperty('listing.honoraires');
  });

  it('omits the fees with a warning when they are a share and an amount', () => {
    const result = read({ negotiation: 'sale', buyer_percentage: 5, buyer_fixed_fee: 9000 });
    expect(result).not.toHaveProperty('listing.honoraires');
    expect(result.warnings).toEqual(['implausible_value buyer_fixed_fee 9000 beside 5 %']);
  });

  it('identifies a plan by its id when its address expires', () => {
    const [one, other] = ['a', 'b'].map((token) =>
      read({ plans: [{ id: 'p1', description: 'Rez', url: `https://s3.example/1.pdf?token=${token}` }] }),
    );
    expect(one).toMatchObject({ listing: { plans: [{ url: 'https://s3.example/1.pdf?token=a', titre: 'Rez' }] } });
    const empreintes = [one, other].map((result) =>
      result !== undefined && 'listing' in result ? result.listing.plans?.[0]?.empreinte : undefined,
    );
    expect(empreintes[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(empreintes[1]).toBe(empreintes[0]);
  });

  it.each(['option', 'agreement', 'under_contract'])('is under offer when it has the status %s', (status) => {
    expect(read({ status })).toMatchObject({ listing: { sousOffre: true } });
  });

  it('is published with a warning when its status is unknown', () => {
    expect(read({ status: 'dreaming' })).toMatchObject({ listing: {}, warnings: ['unknown_word status dreaming'] });
  });

  it.each([
    ['month', { loyer: 1200 }],
    ['week', { loyer: 5200, loyerPeriode: 'semaine' }],
    ['year', { loyer: 100, loyerPeriode: 'an' }],
  ])('has a monthly rent when it is let by the %s', (rent_period, expected) => {
    expect(
      read({ negotiation: 'let', rent_period, price: { amount: 1200, currency: 'EUR', hidden: false } }),
    ).toMatchObject({ listing: { typeTransaction: 'location', ...expected } });
  });

  it('shows no price anywhere when the price is hidden', () => {
    const outcome = read({ price: { amount: 987654, currency: 'EUR', hidden: true } });
    expect(outcome).toMatchObject({ listing: { prixSurDemande: true } });
    expect(JSON.stringify(outcome)).not.toContain('987654');
  });

  it.each([true, null, undefined, 'x'])('hides its exact address when location.hidden is %s', (hidden) => {
    const location = {
      street: 'Rue Cachée',
      number: '3',
      city: 'Namur',
      country: 'BE',
      geo: { latitude: 50.46731, longitude: 4.87191 },
      hidden,
    };
    const outcome = read({ location });
    expect(outcome).toMatchObject({ listing: { ville: 'Namur' } });
    expect(JSON.stringify(outcome)).not.toMatch(/Cachée|50\.467/);
  });

  it('identifies its photos by their ids, in their order, whatever their URLs are', () => {
    const images = (signature: string): object => ({
      images: [
        { id: 'p2', url: `https://s3.example/2.jpg?token=${signature}`, ordinal: 2 },
        { id: 'p1', url: `https://s3.example/1.jpg?token=${signature}`, ordinal: 1 },
      ],
    });
    const [one, other] = [read(images('a')), read(images('b'))].map((outcome) =>
      'listing' in outcome ? outcome : null,
    );
    expect(one?.listing.photos.map(({ url }) => url)).toEqual([
      'https://s3.example/1.jpg?token=a',
      'https://s3.example/2.jpg?token=a',
    ]);
    expect(one?.listing.photos.map(({ empreinte }) => empreinte)).toEqual(
      other?.listing.photos.map(({ empreinte }) => empreinte),
    );
    expect(one?.raw).toEqual(other?.raw);
  });
});

describe('SweepBright answer for a project', () => {
  const project = {
    ...{ id: 'P', is_project: true, publish_status: 'public', negotiation: 'sale', type: 'apartment' },
    ...{ location: { city: 'Gand', hidden: false }, description_title: { fr: 'Les Tilleuls' } },
    properties: [
      { id: 'U1', type: 'apartment', price: { amount: 250000, currency: 'EUR', hidden: false }, location: null },
      { id: 'U2', type: 'apartment', publish_status: 'private' },
    ],
  };
  const { context } = recordingContext('sweepbright');
  const { estates } = JSON.parse(estatesOf(Buffer.from(JSON.stringify(project))).toString()) as { estates: object[] };
  const outcomes = estates.map((one) => readRecord(connector, Buffer.from(JSON.stringify(one)), context));

  it('contains the project and its units, which are removed together with the project', () => {
    expect(outcomes).toMatchObject([
      { listing: { affId: 'P', programmeLots: 2 }, scope: 'P' },
      {
        listing: { affId: 'U1', ville: 'Gand', prix: 250000, programmeId: 'P', programmeNom: 'Les Tilleuls' },
        scope: 'P',
      },
      { withdrawn: 'U2' },
    ]);
  });

  it.each(['', '[]', 'null', '{"x":1}', '<html>'])('is rejected when it is %s', (answer) => {
    expect(() => estatesOf(Buffer.from(answer))).toThrow('SweepBright');
  });
});
