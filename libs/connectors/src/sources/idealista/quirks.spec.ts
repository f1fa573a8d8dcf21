import { readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

type Members = Readonly<Record<string, unknown>>;

const TOWN = { addressTown: 'Villaficticia' };

function property(members: Members = {}, code = '7'): Members {
  return { propertyCode: code, propertyAddress: TOWN, ...members };
}

function customer(properties: unknown, more: Members = {}): string {
  return JSON.stringify({ customerCountry: 'Spain', customerProperties: properties, ...more });
}

const readAll = (content: string): ReturnType<typeof readDropped> => readDropped(connector, content);
const read = (members: Members): ReturnType<typeof readDropped> => readAll(customer([property(members)]));

/** The members of a listing that have one of these names and are not empty. */
function some(listing: object | undefined, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(listing ?? {}).filter(([name]) => names.includes(name)));
}

it.each([
  [{ propertyForSale: false }, 'sale', false],
  [{ propertyForSale: 'false' }, 'sale', false],
  [{ propertyForSale: true, propertyForRent: false }, 'sale', true],
  [{ propertyForSale: null }, 'sale', true],
  [{}, 'sale', true],
  [{ propertyForRent: false }, 'rent', false],
  [{ propertyForRent: false }, 'rentToOwn', false],
  [{ propertyForSale: false, propertyForRent: true }, 'rent', true],
])('Idealista connector shows a property with %j and the operation %s: %s', async (flags, operationType, isShown) => {
  const { listings, rejections } = await read({
    ...flags,
    propertyOperation: { operationType, operationPrice: 90_000 },
  });
  expect([listings.length, rejections.length]).toEqual(isShown ? [1, 0] : [0, 1]);
});

const PRICE = 'propertyOperation.operationPrice';
describe('Idealista operation', () => {
  it.each<[Members, Members, object, string[]]>([
    [{ operationType: 'sale', operationPrice: 100000 }, {}, { typeTransaction: 'vente', prix: 100_000 }, []],
    [
      { operationType: 'rent', operationPrice: 700, operationDepositMonths: 1.5 },
      {},
      { typeTransaction: 'location', loyer: 700, depotGarantie: 1_050 },
      [],
    ],
    [
      { operationType: 'rentToOwn', operationPrice: 700, operationPriceToOwn: 150000 },
      {},
      { typeTransaction: 'location', loyer: 700, prix: 150_000 },
      [],
    ],
    [
      { operationType: 'rent', operationPrice: 700, operationPriceTransfer: 30000 },
      {},
      { typeTransaction: 'cession-de-bail', loyer: 700, prix: 30_000 },
      [],
    ],
    [
      { operationType: 'rent', operationPrice: 90 },
      { featuresShortTerm: true },
      { typeTransaction: 'location-saisonniere' },
      [`implausible_value ${PRICE} 90: a short let without a period ×1`],
    ],
    [
      { operationType: 'sale', operationPrice: 100000 },
      { featuresHiddenPrice: true },
      { typeTransaction: 'vente', prixSurDemande: true },
      [],
    ],
    [
      { operationType: 'sale', operationPrice: '235.000' },
      {},
      { typeTransaction: 'vente' },
      [`implausible_value ${PRICE} 235.000 ×1`],
    ],
    [{ operationType: 'sale' }, {}, { typeTransaction: 'vente', prixSurDemande: true }, []],
  ])('is read from %j of a property with %j', async (propertyOperation, propertyFeatures, expected, noticed) => {
    const { listings, warnings } = await read({ propertyOperation, propertyFeatures });
    const names = ['typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'depotGarantie'];
    expect([some(listings[0], ...names), warnings]).toEqual([expected, noticed]);
  });
});

const POINT = { addressCoordinatesLatitude: 40.41321, addressCoordinatesLongitude: -3.69871 };
it.each<[string | undefined, string | undefined, unknown[], boolean]>([
  ['full', 'exact', ['Calle Falsa 1', 40.41321, -3.69871], true],
  ['full', 'moved', ['Calle Falsa 1', 40.41, -3.7], false],
  ['street', 'exact', ['Calle Falsa', 40.41, -3.7], false],
  ['hidden', 'exact', [undefined, 40.41, -3.7], false],
  [undefined, undefined, [undefined, 40.41, -3.7], false],
])(
  'Idealista connector reads an address with the visibility "%s" and a point with the precision "%s"',
  async (visibility, precision, expected, isRaw) => {
    const { listings, raws } = await read({
      propertyAddress: {
        ...{ ...TOWN, ...POINT, addressVisibility: visibility, addressCoordinatesPrecision: precision },
        ...{ addressStreetName: 'Calle Falsa', addressStreetNumber: '1' },
      },
    });
    expect([listings[0]?.adresse, listings[0]?.latitude, listings[0]?.longitude]).toEqual(expected);
    expect(JSON.stringify(raws).includes('40.41321')).toBe(isRaw);
    expect(JSON.stringify(raws).includes('Calle Falsa')).toBe(isRaw);
  },
);

it.each([
  ['-2', -2],
  ['bj', 0],
  ['en', undefined],
  ['ss', -1],
  ['60', 60],
])('Idealista connector reads the floor "%s"', async (addressFloor, etage) => {
  const { listings, warnings } = await read({ propertyAddress: { ...TOWN, addressFloor } });
  expect([listings[0]?.etage, warnings]).toEqual([etage, []]);
});

describe('Idealista energy class', () => {
  it.each<[string, string, Members, object[] | undefined]>([
    ['Spain', 'B', { EmissionsRating: 'C' }, [{ classe: 'B' }, { classe: 'C' }]],
    ['Spain', 'unknown', {}, undefined],
    ['Spain', 'inProcess', { Performance: 90 }, [{ statut: 'en-cours' }]],
    ['Spain', 'exempt', {}, [{ statut: 'non-soumis' }]],
    ['Italy', 'A4', { Law: 'legge-90_2013' }, [{ classe: 'A4' }]],
    ['Italy', 'B', { Law: 'dl-192_2005' }, undefined],
    ['Italy', 'B', { Law: 'dl-192_2005', Performance: 40 }, [{ valeur: 40, methode: 'D.Lgs. 192/2005' }]],
    ['Portugal', 'A+', {}, [{ classe: 'A+' }]],
    ['Portugal', 'B-', { EmissionsRating: 'C' }, [{ classe: 'B-' }]],
    ['Andorra', 'B', {}, undefined],
  ])('for %s is read from %s with %j', async (addressCountry, rating, more, expected) => {
    const { listings } = await read({
      propertyAddress: { ...TOWN, addressCountry },
      propertyFeatures: Object.fromEntries(
        Object.entries({ ...more, Rating: rating }).map(([name, value]) => [`featuresEnergyCertificate${name}`, value]),
      ),
    });
    const figures = listings[0]?.energie?.map((one) => some(one, 'classe', 'valeur', 'statut', 'methode'));
    expect(figures).toEqual(expected);
  });
});

describe('Idealista developments', () => {
  const secret = { addressStreetName: 'Calle Secreta', addressCoordinatesPrecision: 'exact', ...POINT };
  const development = (units: unknown, address: Members = {}, members: Members = {}): string =>
    customer([], {
      customerNewDevelopments: [
        {
          propertyCode: 'N',
          propertyAddress: { ...TOWN, ...address },
          propertyFeatures: { featuresNewDevelopmentName: 'Jardines', featuresNewDevelopmentType: 'house' },
          newDevelopmentTypologies: units,
          ...members,
        },
      ],
    });

  it('become their units, which take missing values from the development', async () => {
    const { listings } = await readAll(development([{ propertyCode: 'A' }, property({}, 'B')]));
    expect(
      listings.map(({ affId, programmeId, programmeNom, neuf, ville }) => [
        affId,
        programmeId,
        programmeNom,
        neuf,
        ville,
      ]),
    ).toEqual([
      ['A', 'N', 'Jardines', true, 'Villaficticia'],
      ['B', 'N', 'Jardines', true, 'Villaficticia'],
    ]);
  });

  it.each([[[]], [null], [undefined]])('become a listing themselves when their units are %j', async (units) => {
    const { listings } = await readAll(development(units));
    expect(listings.map((one) => some(one, 'affId', 'typeTransaction', 'typeCode', 'intitule'))).toEqual([
      { affId: 'N', typeTransaction: 'programme', typeCode: 'maison', intitule: 'Jardines' },
    ]);
  });

  it.each([
    ['hidden', { propertyAddress: { addressVisibility: 'full' } }],
    ['hidden', { propertyAddress: { ...TOWN, addressVisibility: 'full', addressCoordinatesPrecision: 'exact' } }],
    ['street', {}],
  ])('with the visibility %s hide the door of a unit with %j', async (addressVisibility, members) => {
    const { listings, raws } = await readAll(
      development([{ propertyCode: 'A', ...members }], { ...secret, addressVisibility }),
    );
    expect(listings[0]?.latitude ?? 40.41).toBe(40.41);
    expect(JSON.stringify(raws)).not.toContain('Calle Secreta');
    expect(JSON.stringify(raws)).not.toContain('40.41321');
  });

  it('withdraw their units when only the agency can see the development', async () => {
    const { listings, rejections } = await readAll(
      development([{ propertyCode: 'A' }], {}, { propertyVisibility: 'private' }),
    );
    expect([listings, rejections.map((one) => one.split(':')[0])]).toEqual([[], ['withdrawn A']]);
  });

  it('reject an invalid unit instead of losing it silently', async () => {
    const { listings, rejections } = await readAll(development([{ propertyCode: 'A' }, 'B', {}]));
    expect([listings.map(({ affId }) => affId), rejections.length]).toEqual([['A'], 2]);
  });
});

describe('Idealista document', () => {
  const developments = { customerNewDevelopments: [{ propertyCode: 'N', propertyAddress: TOWN }] };

  it.each([
    ['without developments', customer([property()]), 1],
    ['with properties and developments', customer([property()], developments), 2],
    ['with developments only', JSON.stringify(developments), 1],
    ['whose list of developments is null', customer([property()], { customerNewDevelopments: null }), 1],
  ])('%s is complete', async (_title, content, count) => {
    const { listings, summary } = await readAll(content);
    expect([listings.length, summary.incomplete]).toEqual([count, null]);
  });

  it.each([
    ['with neither list', '{"customerCountry":"Spain"}', 'has no member "customerProperties"'],
    ['whose properties are not a list', customer({ 1: property() }, developments), 'is not a list'],
    ['whose developments are not a list', customer([property()], { customerNewDevelopments: {} }), 'is not a list'],
  ])('%s is refused', async (_title, content, message) => {
    await expect(readAll(content)).rejects.toThrow(message);
  });

  it('is incomplete or refused, wherever it is cut', async () => {
    const whole = customer([property(), property({}, '8')], developments);
    for (let end = whole.indexOf('[') + 1; end < whole.length; end += 1) {
      const outcome = await readAll(whole.slice(0, end)).then(
        ({ summary }) => summary.incomplete,
        () => 'refused',
      );
      expect([end, outcome]).toEqual([end, expect.any(String)]);
    }
  });

  it('may name its customer before or after its lists', async () => {
    const name = { customerName: 'Inmobiliaria', customerSendDate: '2026/01/01 00:00:00' };
    const [behind, ahead] = await Promise.all([
      readAll(customer([property()], name)),
      readAll(
        JSON.stringify({ ...name, ...(JSON.parse(customer([property()])) as object), customerSendDate: '2026/01/02' }),
      ),
    ]);
    expect([behind.listings[0]?.agenceNom, behind.hashes]).toEqual(['Inmobiliaria', ahead.hashes]);
  });
});

it('Idealista connector omits hidden prices, in the raw record too', async () => {
  const { listings, raws } = await read({
    propertyOperation: { operationType: 'rent', operationPrice: 777, operationPriceToOwn: 155000 },
    propertyFeatures: { featuresType: 'flat', featuresHiddenPrice: true, featuresPriceTransfer: 33333 },
  });
  expect(listings[0]).toMatchObject({ prixSurDemande: true });
  expect(JSON.stringify([listings, raws])).not.toMatch(/777|155000|33333/);
});
