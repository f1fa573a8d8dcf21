import { join } from 'node:path';
import { fixtureListings } from '../../../../../test/support/targets/fixture-listings';
import { describeTarget } from '../../../../../test/support/targets/describe-target';
import { contextFor, documentOf, itemOf } from '../../../../../test/support/targets/placements';
import { idsInXml, listOf, readXml } from '../../../../../test/support/targets/readers';
import { target } from './target';

describeTarget(target, {
  fixturesDir: join(__dirname, '__fixtures__'),
  read: (document) => idsInXml(document, 'trovit', 'ad', 'id'),
  onlyWith: {
    langue: { langue: 'fr', textes: { fr: { intitule: 'Titre', commentaires: 'Texte' } } },
    parking: { nbreParkings: undefined },
    quartier: { adresse: undefined },
  },
});

/** Rules of the public schemas: the texts of elements by name. */
const RULES: Readonly<Record<string, RegExp>> = {
  type: /^For (?:Sale|Rent)$/,
  price: /^\d+(?:[.,]\d{1,2})?$/,
  floor_area: /^\d+$/,
  plot_area: /^\d+$/,
  rooms: /^\d+$/,
  bathrooms: /^\d+$/,
  parking: /^(?:\d+|yes|no)$/,
  is_furnished: /^(?:yes|no)$/,
  is_new: /^[01]$/,
  year: /^\d{4}$/,
  date: /^\d{2}\/\d{2}\/\d{4}$/,
  latitude: /^-?\d{1,2}(?:\.\d+)?$/,
  longitude: /^-?\d{1,3}(?:\.\d+)?$/,
  title: /^.{1,255}$/,
  content: /^[\s\S]{30,}$/,
  url: /^https?:\/\/.{1,247}$/,
};
const REQUIRED = ['id', 'url', 'title', 'type', 'content', 'date'];

it('an ad of Thribee keeps the rules of the public schemas', () => {
  const context = contextFor(target);
  const items = fixtureListings().map((listing) => itemOf({ ...listing, url: 'https://agency.example/1' }));
  const ready = items.filter((item) => target.shortfalls(item, context).length === 0);
  expect(ready.length).toBeGreaterThan(20);
  const ads = listOf(readXml(documentOf(target, ready, context), 'trovit')['ad']) as Record<string, unknown>[];
  const problems = ads.flatMap((ad) => [
    ...REQUIRED.filter((name) => ad[name] === undefined).map((name) => `${String(ad['id'])}: no ${name}`),
    ...Object.entries(ad).flatMap(([name, value]) => {
      const text = typeof value === 'object' ? (value as Record<string, unknown>)['#text'] : value;
      return RULES[name]?.test(String(text)) === false ? [`${String(ad['id'])}: ${name} ${String(text)}`] : [];
    }),
  ]);
  expect(problems).toEqual([]);
});
