import { defineTarget } from '../../kit/define-target';
import { among, matching, onTheMarket, oneRequired, required, when } from '../../kit/requirements';
import { bathroomsOf, builtArea } from './features';
import { COUNTRIES, CUSTOMER_COUNTRIES, HOMES, OFFERS, SUPPORTED_TYPES } from './lookups';
import { DOCUMENT_END, documentStart, MOST_PHOTOS, propertyCode, propertyJson } from './mapping';
import { settingOf } from '../../kit/settings';

/** idealista, version 6: one JSON file per customer, which always contains all properties. See README.md. */
export const target = defineTarget({
  code: 'idealista',
  label: 'idealista (JSON v6)',
  transport: 'file',
  notes:
    'The portal for Spain, Italy and Portugal reads one file per customer by FTP. It gives the login and the code of the customer.',
  settings: {
    code: 'The code of the customer, which begins with "ilc": customerCode, and the name of the file.',
    country: 'The country of the customer: Spain, Italy or Portugal. Default Spain.',
    name: 'Name of the agency: customerName.',
  },
  choices: { country: [...CUSTOMER_COUNTRIES] },
  requiredSettings: ['code'],
  absenceRemoves: true,
  acknowledges: false,
  maxPhotos: MOST_PHOTOS,
  required: [
    onTheMarket(),
    required('typeTransaction', 'typeCode', 'ville', 'codePostal', 'pays'),
    among('typeTransaction', OFFERS, 'must be a sale, a rental or a takeover: the format has no other offers'),
    among('typeCode', SUPPORTED_TYPES, 'must be a kind of property that the format has'),
    among('pays', Object.keys(COUNTRIES), 'must be ES, IT, PT, AD, FR, CH or SM'),
    among('prixCurrency', ['EUR'], 'must be EUR: the format names no currency'),
    matching(
      'codePostal',
      /^\d{5}$|^AD\d{3}$|^\d{4}(?:-\d{3})?$/,
      'must have the form of Spain, Italy, Portugal or Andorra',
    ),
    when(
      ({ typeTransaction }) => typeTransaction === 'location' || typeTransaction === 'cession-de-bail',
      required('loyer'),
    ),
    when(({ typeTransaction }) => typeTransaction !== 'location', required('prix')),
    when(({ typeCode }) => typeCode === 'terrain', required('surfaceTerrain')),
    ({ listing }) =>
      listing.typeCode !== 'terrain' && builtArea(listing) === undefined
        ? [{ field: 'surfaceHabitable', need: 'is required' }]
        : [],
    when(
      ({ typeCode }) => HOMES.has(typeCode),
      oneRequired('nbreChambres', 'nbrePieces'),
      ({ listing }) => (bathroomsOf(listing) === undefined ? [{ field: 'nbreSallesDeBain', need: 'is required' }] : []),
    ),
  ],
  // prettier-ignore
  fields: [
    'affId', 'affNum', 'commentaires', 'langue', 'textes', 'url', 'typeTransaction', 'typeCode', 'prix', 'loyer', 'surfaceHabitable',
    'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'pays', 'adresse', 'quartier', 'latitude', 'longitude', 'photos', 'agenceNom',
    'agenceTel', 'negoNom', 'negoEmail', 'negoTel', 'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau', 'etage', 'nbreEtages',
    'anneeConstruction', 'meuble', 'balcon', 'terrasse', 'parking', 'ascenseur', 'piscine', 'depotGarantie', 'energie', 'surfaceUtile',
    'surfaceTotale', 'nbreParkings', 'chauffageType', 'chauffageEnergie', 'etat', 'exposition', 'jardin', 'climatisation',
    'cuisineEquipee', 'cheminee', 'accessible', 'animaux', 'loue', 'caracteristiques', 'plans', 'fraisCommunaute',
  ],
  advert: propertyJson,
  document: {
    encoding: 'utf-8',
    start: documentStart,
    separator: ',\n',
    end: () => DOCUMENT_END,
    file: (context) => ({ kind: 'plain', name: `${propertyCode(settingOf(context, 'code') ?? 'customer')}.json` }),
  },
});
