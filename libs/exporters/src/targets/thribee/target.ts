import { defineTarget } from '../../kit/define-target';
import { among, atMostCharacters, onTheMarket, required, textOf } from '../../kit/requirements';
import { OFFERS } from './lookups';
import { adElement, DOCUMENT_END, DOCUMENT_START, MOST_PHOTOS } from './mapping';

const LEAST_CONTENT = 30;

/** Thribee (Trovit, Mitula, Nestoria): one XML file, read from an address. See README.md. */
export const target = defineTarget({
  code: 'thribee',
  label: 'Thribee: Trovit, Mitula, Nestoria (XML)',
  transport: 'address',
  contentType: 'application/xml; charset=utf-8',
  notes:
    'The search sites of Thribee read this XML from an address. They send visitors to the page of the listing on your site.',
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: MOST_PHOTOS,
  required: [
    onTheMarket(),
    required('url', 'typeTransaction', 'ville'),
    atMostCharacters('url', 255),
    among('typeTransaction', OFFERS, 'must be a sale, an investment or a rental: the format has no other offers'),
    textOf('intitule'),
    textOf('commentaires', LEAST_CONTENT),
  ],
  // prettier-ignore
  fields: [
    'affId', 'intitule', 'commentaires', 'langue', 'textes', 'url', 'typeTransaction', 'typeCode', 'prix', 'loyer', 'loyerSource',
    'surfaceHabitable', 'nbreChambres', 'ville', 'codePostal', 'adresse', 'quartier', 'latitude', 'longitude', 'photos', 'agenceNom',
    'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau', 'etage', 'anneeConstruction', 'meuble', 'neuf', 'parking', 'energie',
    'visiteVirtuelle', 'dateModification', 'region', 'nbreParkings', 'etat',
  ],
  advert: adElement,
  document: {
    encoding: 'utf-8',
    start: () => DOCUMENT_START,
    separator: '',
    end: () => DOCUMENT_END,
    file: () => ({ kind: 'plain', name: 'thribee.xml' }),
  },
});
