import { isRental, type Listing } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import { features, inWords, links } from '../../kit/collections';
import { certificate } from '../../kit/energy';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { isDoubtful, readPrice, readSalePrice } from '../../kit/price';
import { together } from '../../kit/together';
import { scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { statutOf, showsAddress } from './display';
import { TRANSACTIONS, TYPES, type UnitType } from './lookups';
import { photosOf, plansOf } from './media';

type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'loyer' | 'loyerHorsCharges' | 'loyerChargesComprises'
>;

const isPlot = (record: JsonRecord): boolean => typeOf(record)?.code === 'terrain';
const area = (name: string): v.Verb<JsonRecord, number> => v.area(name, 'm2');

const prices = together<JsonRecord, Offer>((record, context) => {
  const transaction = textOf(record['marketing_type']);
  const typeTransaction =
    transaction === undefined ? undefined : (lookUp(TRANSACTIONS, transaction, 'marketing_type', context) ?? 'autre');
  const isLet = typeTransaction !== undefined && isRental(typeTransaction);
  const offer: Offer = { ...(typeTransaction !== undefined && { typeTransaction }) };
  const isHidden = toFlag(scalarOf(record['price_on_inquiry'])) === true;
  if (isHidden) return { ...offer, prixSurDemande: true };
  if (!isLet) {
    const prix = readSalePrice(record['price'], 'price', context);
    if (prix !== undefined) return { ...offer, prix };
    return isDoubtful(record['price'], context) ? offer : { ...offer, prixSurDemande: true };
  }
  const cold = readPrice(record['base_rent'], 'base_rent', context);
  const warm = readPrice(record['total_rent'], 'total_rent', context);
  const loyer = cold ?? warm;
  if (cold !== undefined) offer.loyerHorsCharges = cold;
  if (warm !== undefined) offer.loyerChargesComprises = warm;
  if (loyer !== undefined) return { ...offer, loyer };
  return isDoubtful(record['base_rent'], context) ? offer : { ...offer, prixSurDemande: true };
});
const where = place<JsonRecord>({ country: v.word('country'), postcode: v.word('zip_code'), usual: 'DE' });
const consumption = v.first<JsonRecord, number>(
  v.decimal('thermal_characteristic'),
  v.decimal('energy_efficiency_value'),
);
/** The API writes A+ as `A_PLUS`. */
const energy = certificate<JsonRecord>((record, context) => ({
  pays: where.pays.read(record, context),
  codePostal: where.codePostal.read(record, context),
  figures: [
    {
      field: 'energy_efficiency_class',
      classe: textOf(record['energy_efficiency_class'])?.replace(/_?PLUS/gi, '+'),
      valeur: consumption.read(record, context),
    },
  ],
}));

/** Paths start at one element of `data`, whose members are reduced to their values. */
export const MAPPING: ListingMapping<JsonRecord> = {
  ...absentGroups('not among the fields that public clients read', {
    'the certificate is German: energie': ['certificate'],
    'specific to French law': ['frenchLaw', 'otherAreas'],
    'specific to Belgian law': ['belgianLaw'],
    'specific to British adverts': ['britishLaw'],
    'specific to other land registers': ['registrations'],
    'a broker has a name and contact details': ['licences'],
    'a project is another request': ['project'],
    'there is only the current price': ['priceDetails'],
  }),
  affId: v.identifier('id'),
  affNum: v.firstOf(v.text, 'exposee_id', 'unit_id'),
  intitule: v.first(v.text('title'), v.builtTitle(titleParts)),
  commentaires: v.computed(descriptionOf, 'description_note', 'furnishing_note', 'location_note', 'other_note'),
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerHorsCharges', 'loyerChargesComprises'),
  typeTransactionSource: v.text('marketing_type'),
  ...standing(statutOf).fields('statut', 'sousOffre'),
  typeCode: v.computed((record: JsonRecord, context) => {
    const word = textOf(record['rs_type']);
    return word === undefined ? undefined : (lookUp(TYPES, word, 'rs_type', context)?.code ?? 'autre');
  }, 'rs_type'),
  typeCodeSource: v.joined('rs_type', 'rs_category'),
  prixCurrency: v.currency('currency', 'EUR'),
  prixMetreCarre: v.money('price_per_sqm'),
  charges: v.money('service_charge'),
  chargesChauffage: v.money('heating_costs'),
  depotGarantie: v.money('deposit'),
  surfaceHabitable: v.unless(isPlot, area('living_space')),
  surfaceTerrain: area('plot_area'),
  surfaceUtile: area('usable_floor_space'),
  surfaceTotale: area('total_floor_space'),
  surfaceBureaux: area('office_space'),
  nbrePieces: v.rooms('number_of_rooms'),
  nbreChambres: v.rooms('number_of_bed_rooms'),
  nbreSallesDeBain: v.integer('number_of_bath_rooms'),
  nbreParkings: v.integer('number_of_parking_spaces'),
  parking: v.anyOf('number_of_parking_spaces'),
  etage: v.floor('floor'),
  nbreEtages: v.integer('number_of_floors'),
  anneeConstruction: v.year('construction_year'),
  ville: v.text('city'),
  quartier: v.text('district'),
  region: v.text('region'),
  ...where,
  adresse: v.when(showsAddress, v.joined('street', 'house_number')),
  ...position<JsonRecord>('lat', 'lng', showsAddress),
  photos: v.photos('images', photosOf),
  plans: links(plansOf, 'images'),
  agenceNom: v.setting('agence-nom'),
  negoNom: v.text('broker.name'),
  negoEmail: v.email('broker.public_email'),
  negoTel: v.firstOf(v.text, 'broker.public_phone', 'broker.public_cell'),
  energie: energy.field('energie'),
  etat: inWords('condition'),
  neuf: v.computed(
    (record: JsonRecord) => /erstbezug$|neubau|first_time/i.test(textOf(record['condition']) ?? '') || undefined,
    'condition',
  ),
  chauffageType: inWords('heating_type'),
  chauffageEnergie: inWords('firing_types'),
  meuble: v.flag('furnished'),
  ascenseur: v.flag('lift'),
  balcon: v.anyOf('balcony', 'number_of_balconies'),
  terrasse: v.anyOf('number_of_terraces'),
  jardin: v.flag('garden'),
  cave: v.flag('cellar'),
  accessible: v.flag('barrier_free'),
  animaux: v.flag('pets_allowed'),
  cuisineEquipee: v.flag('built_in_kitchen'),
  loue: v.unless(
    (record: JsonRecord) => TRANSACTIONS.find(textOf(record['marketing_type']) ?? '') === 'location',
    v.flag('rented'),
  ),
  caracteristiques: features(
    (record: JsonRecord) =>
      [record['last_refurbishment']].flatMap((year) =>
        textOf(year) === undefined ? [] : [`Rénové en ${textOf(year) ?? ''}`],
      ),
    'last_refurbishment',
  ),
  disponibilite: v.when((record: JsonRecord) => !/\p{L}/u.test(textOf(record['free_from']) ?? ''), v.day('free_from')),
  disponibiliteTexte: inWords('free_from'),
  commission: v.text('courtage'),
  programmeId: v.text('project_id'),
  dateCreation: v.date('created_at'),
  dateModification: v.date('updated_at'),
  ...v.absent(
    'not among the fields that public clients read',
    'url',
    'langue',
    'textes',
    'numeroEnregistrement',
    'regimePropriete',
  ),
  ...v.absent('a rent is by the month', 'loyerPeriode', 'loyerSource'),
  ...v.absent('specific to French law', 'loyerReferenceMajore', 'loyerEncadrement'),
};

function typeOf(record: JsonRecord): UnitType | undefined {
  return TYPES.find(textOf(record['rs_type']) ?? '');
}

const PROSE = ['description_note', 'furnishing_note', 'location_note', 'other_note'];

function descriptionOf(record: JsonRecord): string | undefined {
  const texts = PROSE.flatMap((name) => plainText(textOf(record[name])) ?? []);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    pieces: toRooms(scalarOf(record['number_of_rooms'])),
    ville: plainLine(textOf(record['city'])),
  };
}
