import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadFeed } from '@passerelle/domain';
import { archiveOf, readDropped } from '../../../../../test/support/connectors/read-dropped';
import { connector } from './connector';

const FILE = readFileSync(join(__dirname, '__fixtures__', 'getrix.xml'), 'utf8');
const idsIn = async (content: Buffer | string): Promise<string[]> =>
  (await readDropped(connector, content)).listings.map(({ affId }) => affId);

describe('a file of Getrix', () => {
  it.each(['Immobili', 'Annunci', 'feed', 'root'])(
    'is known by its records, whatever its root is: %s',
    async (root) => {
      const file = FILE.replaceAll('Immobili>', `${root}>`);
      expect(await idsIn(file)).toEqual(await idsIn(FILE));
    },
  );

  it('is read out of a ZIP, in the encoding that it names', async () => {
    const file = FILE.replace('UTF-8', 'ISO-8859-1').replace('Soggiorno', 'Città');
    const { listings } = await readDropped(connector, archiveOf({ 'export.xml': Buffer.from(file, 'latin1') }));
    expect(listings[0]?.photos[0]?.legende).toBe('Città');
  });

  it('that ends early is incomplete', async () => {
    const { summary } = await readDropped(connector, FILE.slice(0, FILE.lastIndexOf('<Comune')));
    expect(summary.incomplete).not.toBeNull();
  });

  it.each(['<html><body>Manutenzione</body></html>', '<Immobili/>', '<Immobili><Immobile/></Immobili>'])(
    'is not %s: the feed is refused',
    async (content) => {
      await expect(readDropped(connector, content)).rejects.toThrow(BadFeed);
    },
  );

  it.each([
    ['45.4642', '0', '45.4642, 0'],
    ['45.4642', '', '45.4642, '],
    ['boh', '9.19', 'boh, 9.19'],
  ])('has no point at %s; %s, and notices it', async (latitude, longitude, noticed) => {
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
  ])('offers by its contract %s: %s', async (contract, typeTransaction) => {
    const file = `<x><Immobile IDImmobile="1"><Contratto>${contract}</Contratto><Prezzo>900</Prezzo></Immobile></x>`;
    expect((await readDropped(connector, file)).listings).toMatchObject([{ typeTransaction }]);
  });
});

it('Getrix: a contract in words and the letter of a photo in any case are read', async () => {
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
