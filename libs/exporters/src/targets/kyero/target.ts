import { defineTarget } from '../../kit/define-target';
import { DOCUMENT_END, documentStart, MOST_PHOTOS, propertyElement } from './mapping';

/** Kyero, version 3: one XML file that always contains all properties, read from an address. See README.md. */
export const target = defineTarget({
  code: 'kyero',
  label: 'Kyero (XML)',
  transport: 'address',
  contentType: 'application/xml; charset=utf-8',
  notes:
    'Portals and sites with buyers from abroad read this format from an address. Give the portal the address with its token.',
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: MOST_PHOTOS,
  // The address has always contained every listing of the gateway.
  required: [],
  // prettier-ignore
  fields: [
    'affId', 'affNum', 'intitule', 'commentaires', 'textes', 'url', 'typeTransaction', 'typeCode', 'prix', 'prixCurrency', 'loyer',
    'loyerSource', 'surfaceHabitable', 'nbreChambres', 'ville', 'codePostal', 'pays', 'quartier', 'latitude', 'longitude', 'photos',
    'negoEmail', 'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau', 'etage', 'meuble', 'neuf', 'balcon', 'terrasse', 'parking',
    'ascenseur', 'piscine', 'bouquet', 'rente', 'energie', 'dpeClasse', 'gesClasse', 'visiteVirtuelle', 'video', 'dateModification',
    'region',
  ],
  advert: propertyElement,
  document: {
    encoding: 'utf-8',
    start: documentStart,
    separator: '',
    end: () => DOCUMENT_END,
    file: () => ({ kind: 'plain', name: 'kyero.xml' }),
  },
});
