import type { ExportContext } from '../../kit/contracts';
import { defineTarget } from '../../kit/define-target';
import { among, onTheMarket, photos, required, textOf, when } from '../../kit/requirements';
import { choiceOf } from '../../kit/settings';
import { openAviv } from './client';
import { COUNTRIES, OFFERS } from './lookups';
import { classifiedJson, MOST_PHOTOS } from './mapping';

const LEAST_LUXURY_TEXT = 160;
const LEAST_LUXURY_AREA = 20;

/** SeLoger, Logic-Immo and Belles Demeures: the AVIV Classified API, version 4. See README.md. */
export const target = defineTarget({
  code: 'aviv',
  label: 'SeLoger, Logic-Immo, Belles Demeures (AVIV API)',
  country: 'FR',
  transport: 'api',
  notes:
    'AVIV gives the client id and secret after a review, first for its sandbox. Keep the identifiers of the former software, or every advert is doubled.',
  credentials: {
    'client-id': 'The client id that AVIV gave for its API.',
    'client-secret': 'The secret of the client id.',
  },
  requiredCredentials: ['client-id', 'client-secret'],
  settings: {
    intermediary: 'The code of the agency at AVIV, such as "RC-123456".',
    environment: 'sandbox or production. Default sandbox.',
    portals: 'SL (SeLoger, with Logic-Immo), BD (Belles Demeures) or SL+BD. Default SL.',
    api: 'Another address of the API, for a simulator.',
    authorization: 'Another address of the token, for a simulator.',
  },
  choices: { environment: ['sandbox', 'production'], portals: ['SL', 'BD', 'SL+BD'] },
  requiredSettings: ['intermediary'],
  absenceRemoves: false,
  acknowledges: true,
  maxPhotos: MOST_PHOTOS,
  required: [
    onTheMarket(),
    required('typeTransaction', 'typeCode', 'codePostal', 'ville', 'pays'),
    among('typeTransaction', OFFERS, 'must be a sale, an investment or a rental'),
    among('pays', Object.keys(COUNTRIES), 'must be France or a neighbour of France'),
    when(({ typeTransaction }) => typeTransaction === 'location', required('loyer')),
    when(({ typeTransaction }) => typeTransaction !== 'location', required('prix')),
    textOf('intitule'),
    textOf('commentaires'),
    when(isLuxury, photos(1), textOf('commentaires', LEAST_LUXURY_TEXT)),
    when(
      ({ surfaceHabitable }, context) =>
        isLuxury(undefined, context) && (surfaceHabitable ?? LEAST_LUXURY_AREA) < LEAST_LUXURY_AREA,
      () => [{ field: 'surfaceHabitable', need: `needs at least ${LEAST_LUXURY_AREA} m²` }],
    ),
  ],
  // prettier-ignore
  fields: [
    'affId', 'affNum', 'intitule', 'commentaires', 'langue', 'textes', 'typeTransaction', 'typeCode', 'prix', 'prixCurrency', 'loyer',
    'surfaceHabitable', 'nbrePieces', 'nbreChambres', 'ville', 'codePostal', 'pays', 'adresse', 'latitude', 'longitude', 'photos',
    'agenceNom', 'agenceTel', 'negoNom', 'negoEmail', 'negoTel', 'surfaceTerrain', 'nbreSallesDeBain', 'nbreSallesEau', 'etage',
    'nbreEtages', 'anneeConstruction', 'meuble', 'exclusivite', 'balcon', 'terrasse', 'parking', 'ascenseur', 'piscine', 'honoraires',
    'honorairesUnite', 'honorairesCharge', 'honorairesBareme', 'mandatNum', 'copropriete', 'coproLots', 'coproCharges',
    'coproProcedure', 'energie', 'dpeClasse', 'dpeValeur', 'gesClasse', 'gesValeur', 'dpeDate', 'dpeCoutMin', 'dpeCoutMax',
    'dpeAnneeReference', 'nbreWc', 'nbreParkings', 'parkingType', 'exposition', 'jardin', 'cave', 'climatisation', 'cheminee',
    'accessible',
  ],
  advert: classifiedJson,
  open: openAviv,
});

function isLuxury(_listing: unknown, context: ExportContext): boolean {
  return choiceOf(context, 'portals', ['SL', 'BD', 'SL+BD']) !== 'SL';
}
