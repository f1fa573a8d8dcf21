import { builtTitle } from './built-title';

it.each([
  [{ type: 'villa', chambres: 3, ville: 'almunecar' }, 'Villa 3 chambres à Almunecar'],
  [{ type: 'Appartement', pieces: 3, chambres: 2, ville: 'Nice' }, 'Appartement 3 pièces à Nice'],
  [{ type: 'Studio', chambres: 1 }, 'Studio 1 chambre'],
  [{ type: 'Maison', pieces: 4.5 }, 'Maison 4,5 pièces'],
  [{ type: 'Terrain', ville: 'Nice' }, 'Terrain à Nice'],
  [{ ville: 'Nice' }, undefined],
])('%j makes %j', (parts, title) => {
  expect(builtTitle(parts)).toBe(title);
});
