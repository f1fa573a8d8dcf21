import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadFeed } from '@passerelle/domain';
import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

const FILE = readFileSync(join(__dirname, '__fixtures__', 'getrix.xml'), 'utf8');
const idsIn = async (content: Buffer | string): Promise<string[]> =>
  (await readDropped(connector, content)).listings.map(({ affId }) => affId);

describe('Getrix feed', () => {
  it.each(['Immobili', 'Annunci', 'feed', 'root'])(
    'is recognised by its records, whatever its root element is: %s',
    async (root) => {
      const file = FILE.replaceAll('Immobili>', `${root}>`);
      expect(await idsIn(file)).toEqual(await idsIn(FILE));
    },
  );

  it('is read from a ZIP, in the encoding that it declares', async () => {
    const file = FILE.replace('UTF-8', 'ISO-8859-1').replace('Soggiorno', 'Città');
    const { listings } = await readDropped(connector, archiveOf({ 'export.xml': Buffer.from(file, 'latin1') }));
    expect(listings[0]?.photos[0]?.legende).toBe('Città');
  });

  it('is incomplete when it ends early', async () => {
    const { summary } = await readDropped(connector, FILE.slice(0, FILE.lastIndexOf('<Comune')));
    expect(summary.incomplete).not.toBeNull();
  });

  it.each(['<html><body>Manutenzione</body></html>', '<Immobili/>', '<Immobili><Immobile/></Immobili>'])(
    'is refused when it is %s',
    async (content) => {
      await expect(readDropped(connector, content)).rejects.toThrow(BadFeed);
    },
  );

  it.each([
    ['45.4642', '0', '45.4642, 0'],
    ['45.4642', '', '45.4642, '],
    ['boh', '9.19', 'boh, 9.19'],
  ])('omits the invalid position %s; %s, and causes a warning', async (latitude, longitude, noticed) => {
    const point = `<Latitudine>${latitude}</Latitudine><Longitudine>${longitude}</Longitudine>`;
    const file = `<x><Immobile IDImmobile="1"><Prezzo>900000</Prezzo><Contratto>V</Contratto>${point}</Immobile></x>`;
    const { listings, warnings } = await readDropped(connector, file);
    expect(listings[0]).not.toHaveProperty('latitude');
    expect(warnings).toEqual([`implausible_value location.locality.latitude ${noticed} ×1`]);
  });

  it.each([
    ['A', 'location'],
    ['a', 'location'],
    ['V', 'vente'],
  ])('has the transaction of its contract %s: %s', async (contract, typeTransaction) => {
    const file = `<x><Immobile IDImmobile="1"><Contratto>${contract}</Contratto><Prezzo>900</Prezzo></Immobile></x>`;
    expect((await readDropped(connector, file)).listings).toMatchObject([{ typeTransaction }]);
  });
});

it('Getrix feed may have a contract in words and the photo type in any letter case', async () => {
  const photo = '<Immagini><Immagine Tipo="f"><URL>https://foto.example/1.jpg</URL></Immagine></Immagini>';
  const { listings, raws } = await readDropped(
    connector,
    `<Immobili><Immobile IDImmobile="1"><Contratto>Affitto</Contratto><Prezzo>1200</Prezzo><Comune>Lucca</Comune>${photo}</Immobile></Immobili>`,
  );
  expect(listings).toMatchObject([
    { typeTransaction: 'location', loyer: 1_200, photos: [{ url: 'https://foto.example/1.jpg' }] },
  ]);
  expect(JSON.stringify(raws)).toContain('https://foto.example/1.jpg');
});
