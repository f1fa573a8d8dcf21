import type { PolirisRow } from '../../formats/poliris-rows';
import { toSquareMetres } from '../../kit/clean/area';
import { builtTitle } from '../../kit/clean/built-title';
import { toCoordinates } from '../../kit/clean/coordinates';
import { toRooms } from '../../kit/clean/count';
import { toCountry } from '../../kit/clean/country';
import { toEmail } from '../../kit/clean/email';
import { toFlag } from '../../kit/clean/flag';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { plainLine } from '../../kit/clean/plain-text';
import { toPostcode } from '../../kit/clean/postcode';
import type { RecordContext } from '../../kit/contracts';
import type { ListingMapping } from '../../kit/listing-mapping';
import { readCountry, readCurrency } from '../../kit/noticed-words';
import { textOf } from '../../kit/scalar';
import * as v from '../../kit/verbs';
import { affIdOf, agencyNameOf } from './identity';
import { CHARGES_TERMS, PHOTO_RANKS, TYPES } from './lookups';
import { type Offer, readOffer } from './offer';

const offer = v.together<PolirisRow, Offer>(readOffer);
const type = v.oneOf(TYPES, '4', 'autre');

/** Numbers are the ranks of the SeLoger / Poliris specification, counted from 1. */
export const MAPPING: ListingMapping<PolirisRow> = {
  affId: v.computed(affIdOf),
  affNum: v.text('2'),
  intitule: v.first(v.text('20'), v.computed(titleOf)),
  commentaires: v.prose('21'),
  typeTransaction: offer.part('typeTransaction'),
  typeTransactionSource: v.text('3'),
  typeCode: type,
  typeCodeSource: v.text('4'),
  prix: offer.part('prix'),
  prixSurDemande: offer.part('prixSurDemande'),
  prixCurrency: v.computed((_row, context) => currencyOf(context)),
  loyer: offer.part('loyer'),
  loyerPeriode: offer.part('loyerPeriode'),
  // A plot has no living area: rank 16 may then hold the plot's.
  surfaceHabitable: v.computed((row) => (isPlot(row) ? undefined : toSquareMetres(toNumber(row[16])))),
  nbrePieces: v.rooms('18'),
  nbreChambres: v.rooms('19'),
  ville: v.text('6'),
  codePostal: v.computed((row, context) => toPostcode(row[5], countryOf(row, context))),
  pays: v.computed((row, context) => readCountry(textOf(row[7]), '7', context) ?? countryOf(row, context)),
  adresse: v.computed((row, context) => (showsAddress(context) ? plainLine(textOf(row[8])) : undefined)),
  quartier: v.text('9'),
  latitude: v.computed((row) => toCoordinates(row[298], row[299])?.latitude),
  longitude: v.computed((row) => toCoordinates(row[298], row[299])?.longitude),
  photos: v.photos('85', photosOf),
  agenceNom: v.computed(agencyNameOf),
  agenceTel: v.absent('the format has one telephone number, that of the contact'),
  negoNom: v.text('106'),
  negoEmail: v.computed((row) => toEmail(row[107])),
  negoTel: v.text('105'),
  surfaceTerrain: v.first(
    v.decimal('17'),
    v.computed((row: PolirisRow) => (isPlot(row) ? toSquareMetres(toNumber(row[16])) : undefined)),
  ),
  surfaceCarrez: v.absent('rank 16 does not say which area it is'),
  nbreSallesDeBain: v.integer('29'),
  nbreSallesEau: v.integer('30'),
  etage: v.floor('24'),
  nbreEtages: v.integer('25'),
  anneeConstruction: v.year('27'),
  meuble: v.flag('26'),
  exclusivite: v.flag('83'),
  neuf: v.absent('rank 28 is "refait à neuf", rank 162 "récent": neither is new'),
  balcon: v.anyOf('39', '40'),
  terrasse: v.first(v.flag('48'), v.anyOf('244', '329')),
  parking: v.anyOf('43', '44'),
  ascenseur: v.flag('41'),
  piscine: v.flag('65'),
  charges: v.money('23'),
  depotGarantie: v.money('161'),
  honoraires: offer.part('honoraires'),
  honorairesUnite: offer.part('honorairesUnite'),
  honorairesCharge: offer.part('honorairesCharge'),
  honorairesEtatDesLieux: v.money('306'),
  honorairesBareme: v.url('307'),
  prixHorsHonoraires: offer.part('prixHorsHonoraires'),
  bouquet: offer.part('bouquet'),
  rente: offer.part('rente'),
  chargesModalite: v.oneOf(CHARGES_TERMS, '304'),
  loyerBase: offer.part('loyerBase'),
  loyerComplement: v.money('305'),
  loyerReferenceMajore: v.money('332'),
  loyerEncadrement: v.flag('333'),
  mandatNum: v.text('112'),
  mandatType: v.absent('only whether it is exclusive: rank 83'),
  taxeFonciere: v.absent('not in the format'),
  copropriete: v.flag('258'),
  coproLots: v.integer('259'),
  coproCharges: v.money('260'),
  coproProcedure: v.flag('261'),
  dpeClasse: v.energyClass('177'),
  dpeValeur: v.decimal('176'),
  gesClasse: v.energyClass('179'),
  gesValeur: v.decimal('178'),
  dpeDate: v.day('324'),
  dpeVersion: v.text('325'),
  dpeCoutMin: v.money('326'),
  dpeCoutMax: v.money('327'),
  // A year up to version 4.09, a date since.
  dpeAnneeReference: v.first(
    v.day('328'),
    v.computed((row: PolirisRow) => /^\s*((?:19|20)\d{2})\s*$/.exec(row[328] ?? '')?.[1]),
  ),
  dpeEnergieFinale: v.decimal('334'),
  visiteVirtuelle: v.url('104'),
  video: v.absent('not in the format'),
  disponibilite: v.day('22'),
  dateCreation: v.absent('not in the format'),
  dateModification: v.absent('not in the format: the file is the state of today'),
};

/** Whether ranks 8 and 9 of the advert may be shown as an address. The real place has private ranks of its own. */
export function showsAddress(context: RecordContext): boolean {
  return toFlag(context.settings['publier-adresse']) !== false;
}

function titleOf(row: PolirisRow): string | undefined {
  const ville = plainLine(textOf(row[6]));
  return builtTitle({ type: plainLine(textOf(row[4])), pieces: toRooms(row[18]), chambres: toRooms(row[19]), ville });
}

function isPlot(row: PolirisRow): boolean {
  return TYPES.find(row[4] ?? '') === 'terrain';
}

function countryOf(row: PolirisRow, context: RecordContext): string | undefined {
  const word = row[7]?.trim() ?? '';
  return word === '' ? (toCountry(context.settings['pays']) ?? 'FR') : toCountry(word);
}

/** `Devise=Euro` in Config.txt speaks for the whole file. */
function currencyOf(context: RecordContext): string | undefined {
  const config = context.feed['config'];
  const named = typeof config === 'string' ? /^\s*devise\s*=\s*(.+?)\s*$/im.exec(config)?.[1] : undefined;
  return readCurrency(named, 'Devise', context);
}

function* photosOf(row: PolirisRow): Generator<PhotoSource> {
  for (const { photo, title } of PHOTO_RANKS) {
    const value = row[photo];
    if (value !== undefined && value !== '') yield { value, legende: row[title] };
  }
}
