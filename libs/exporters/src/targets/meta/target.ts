import { defineTarget } from '../../kit/define-target';
import { among, onTheMarket, photos, priced, required, textOf } from '../../kit/requirements';
import { OFFERS } from './lookups';
import { DOCUMENT_END, documentStart, listingElement, MOST_PHOTOS } from './mapping';

/** Meta (Facebook, Instagram): a catalogue of homes as XML, read from an address. See README.md. */
export const target = defineTarget({
  code: 'meta',
  label: 'Meta home listings (XML)',
  transport: 'address',
  contentType: 'application/xml; charset=utf-8',
  notes: 'Adverts on Facebook and Instagram take homes from a catalogue, which reads this XML from an address.',
  settings: { title: 'Title of the catalogue. Default: the name of the client.' },
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: MOST_PHOTOS,
  required: [
    onTheMarket(),
    required('url', 'typeTransaction', 'ville', 'region', 'pays', 'latitude', 'longitude', 'prixCurrency'),
    among('typeTransaction', OFFERS, 'must be a sale, an investment or a rental: the format has no other offers'),
    priced(),
    textOf('intitule'),
    photos(1),
  ],
  // prettier-ignore
  fields: [
    'affId', 'intitule', 'commentaires', 'langue', 'textes', 'url', 'typeTransaction', 'typeCode', 'prix', 'prixCurrency', 'loyer',
    'statut', 'surfaceHabitable', 'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'pays', 'adresse', 'quartier', 'latitude',
    'longitude', 'photos', 'nbreSallesDeBain', 'nbreSallesEau', 'anneeConstruction', 'energie', 'dpeClasse', 'gesClasse', 'region',
  ],
  advert: listingElement,
  document: {
    encoding: 'utf-8',
    start: documentStart,
    separator: '',
    end: () => DOCUMENT_END,
    file: () => ({ kind: 'plain', name: 'meta.xml' }),
  },
});
