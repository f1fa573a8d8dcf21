import type { Listing } from '../listing/listing';
import { SEARCH_FORM, SEARCHED_FIELDS, searchedFieldsOf, searchEntryOf } from './search-entry';
import { TERM_BYTES } from './term-sets';

const LISTING: Partial<Listing> = {
  ...{
    affId: '1',
    affNum: 'R 7',
    prix: 5,
    ville: 'Lyon',
    negoEmail: 'a@b.example',
    adresse: '1 rue',
    ascenseur: false,
  },
  ...{ intitule: 'Maison', langue: 'fr', textes: { en: { commentaires: 'House' } }, photos: [] },
};

it('a search entry contains the searched fields of a listing, the languages of its texts, and its words', () => {
  const { fields, words } = searchEntryOf(LISTING);
  expect(searchedFieldsOf(fields)).toEqual({
    ...{ affId: '1', prix: 5, ville: 'Lyon', ascenseur: false },
    langues: ['fr', 'en'],
  });
  expect(words.length).toBe(4 * TERM_BYTES.both);
});

it('searchedFieldsOf reads each searched field back, whichever fields the listing has', () => {
  const all = Object.fromEntries(SEARCHED_FIELDS.map((field, place) => [field, `${field} ${place}, "é" \n`]));
  expect(searchedFieldsOf(searchEntryOf(all as Partial<Listing>).fields)).toEqual({ ...all, langues: [] });
  for (const field of SEARCHED_FIELDS) {
    const { [field]: value } = all;
    expect(searchedFieldsOf(searchEntryOf({ [field]: value }).fields)).toEqual({ [field]: value, langues: [] });
  }
});

it('SEARCHED_FIELDS keeps its order as long as SEARCH_FORM is unchanged', () => {
  const stored =
    'affId typeTransaction typeCode prix prixCurrency loyer loyerPeriode loyerSource surfaceHabitable surfaceTerrain ' +
    'nbrePieces nbreChambres ville codePostal pays latitude longitude dpeClasse dateCreation dateModification ' +
    'prixSurDemande sousOffre meuble exclusivite neuf balcon terrasse parking ascenseur piscine loyerEncadrement ' +
    'copropriete coproProcedure jardin cave climatisation cuisineEquipee cheminee accessible animaux loue georisques ' +
    'debroussaillement permisUrbanisme citationUrbanisme droitPreemption permisLotir';
  expect([SEARCH_FORM, SEARCHED_FIELDS.join(' ')]).toEqual([2, stored]);
  const last = { affId: '1', ascenseur: true, permisLotir: false, langue: 'de' };
  expect(searchEntryOf({ ...last, intitule: 'Haus' }).fields).toBe('["aCU","de","1",true,false]');
});
