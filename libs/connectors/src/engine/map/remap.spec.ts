import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { connector as blm } from '../../sources/blm/connector';
import { connector as idx } from '../../sources/idx/connector';
import { connector as kyero } from '../../sources/kyero/connector';
import { connector as poliris } from '../../sources/poliris/connector';
import { connector as swissrets } from '../../sources/swissrets/connector';
import { connector as swissretsjson } from '../../sources/swissretsjson/connector';
import { connector as ubiflow } from '../../sources/ubiflow/connector';
import { readDropped } from '../../../../../test/support/connectors/read-dropped';
import { remap } from './remap';

const FILES = [
  [blm, 'v3.blm', []],
  [idx, 'details.txt', []],
  // The agency's name is in an element beside the records, so the raw record does not contain it.
  [kyero, 'v2_1.xml', ['agenceNom']],
  [poliris, 'annonces.csv', []],
  [ubiflow, 'annonces.xml', []],
] as const;

const differing = (one: object, other: object | null): string[] =>
  Object.entries(one).flatMap(([field, value]) => (isDeepStrictEqual(value, other?.[field as never]) ? [] : [field]));

const fixture = (code: string, file: string): Buffer =>
  readFileSync(join(__dirname, '../../sources', code, '__fixtures__', file));

it.each(FILES.map(([connector, file, beside]) => [connector.code, connector, file, beside] as const))(
  'remap maps the raw record of %s to the same listing as the original record',
  async (code, connector, file, beside) => {
    const { listings, raws } = await readDropped(connector, fixture(code, file));
    expect(listings.length).toBeGreaterThan(2);
    for (const [index, listing] of listings.entries()) {
      const again = remap(connector, {}, raws[index]!);
      const others = differing(listing, again);
      expect(others.filter((field) => field !== 'photos')).toEqual(beside);
    }
  },
);

it('remap maps the raw record of a unit to the listing without the data of its project', async () => {
  const { listings, raws } = await readDropped(swissretsjson, fixture('swissretsjson', 'inventory.json'));
  const lost = listings.map((listing, index) => differing(listing, remap(swissretsjson, {}, raws[index]!)));
  const ofProject = ['commentaires', 'langue', 'ville', 'codePostal', 'pays', 'agenceNom', 'negoEmail', 'neuf'];
  expect(lost.map((fields) => fields.filter((field) => field !== 'photos').sort())).toEqual([[], ofProject.sort(), []]);
});

it('remap returns null for a record that depends on elements beside it, and for an empty record', async () => {
  const { raws } = await readDropped(swissrets, fixture('swissrets', 'export.json'));
  expect(raws.map((raw) => remap(swissrets, {}, raw))).toEqual(raws.map(() => null));
  expect(raws.length).toBeGreaterThan(0);
  expect(remap(kyero, {}, {})).toBeNull();
});
