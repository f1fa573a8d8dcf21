import { isRental, type Listing, type RentPeriod } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { toRooms } from '../../kit/clean/number';
import type { TitleParts } from '../../kit/title-words';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import { toFlag } from '../../kit/clean/fold-word';
import { features, inWords, links, namesOfYes, periodic, range } from '../../kit/collections';
import { certificate } from '../../kit/energy';
import type { RecordContext } from '../../kit/contracts';
import { absentGroups } from '../../kit/field-groups';
import type { ListingMapping } from '../../kit/listing-mapping';
import { place, position } from '../../kit/place';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { together } from '../../kit/together';
import { scalarOf, textOf } from '../../kit/values';
import { standing } from '../../kit/status';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { statutOf, showsAddress } from './display';
import { PERIODS, SAID_BY_FLAGS, TRANSACTIONS, TYPES, type UnitType } from './lookups';
import { linkedFilm, linkedTour, photosOf, plansOf } from './media';

type Offer = Pick<
  Listing,
  | 'typeTransaction'
  | 'prix'
  | 'prixSurDemande'
  | 'loyer'
  | 'loyerPeriode'
  | 'loyerSource'
  | 'loyerHorsCharges'
  | 'loyerChargesComprises'
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
  const period = periodOf(record, context);
  if (period === undefined) return offer;
  const cold = readPrice(record['base_rent'], 'base_rent', context);
  const warm = readPrice(record['total_rent'], 'total_rent', context);
  const rent = cold ?? warm;
  if (period !== 'mois' && rent !== undefined) return { ...offer, ...rentFor(period, rent) };
  if (cold !== undefined) offer.loyerHorsCharges = cold;
  if (warm !== undefined) offer.loyerChargesComprises = warm;
  if (rent !== undefined) return { ...offer, loyer: rent };
  return isDoubtful(record['base_rent'], context) ? offer : { ...offer, prixSurDemande: true };
});

/** The rent of a short let names its period; a rent per square metre is none of the property. */
function periodOf(record: JsonRecord, context: RecordContext): RentPeriod | undefined {
  const unit = textOf(record['price_type']);
  if (unit !== undefined && PER_AREA.test(unit)) {
    context.warn('implausible_value', 'price_type', unit.slice(0, 120));
    return undefined;
  }
  const word = textOf(record['price_interval_type']);
  return word === undefined ? 'mois' : lookUp(PERIODS, word, 'price_interval_type', context, 'implausible_value');
}

const PER_AREA = /sqm|square|qm|m²|m2/i;

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

/** The upper limit of the smallest part that is let separately: the API has none. */
const NONE: v.Verb<JsonRecord, number> = { verb: 'none', paths: [], read: () => undefined };
const said = namesOfYes(SAID_BY_FLAGS);

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
  ...prices.fields('typeTransaction', 'prix', 'prixSurDemande', 'loyer', 'loyerPeriode', 'loyerSource'),
  ...prices.fields('loyerHorsCharges', 'loyerChargesComprises'),
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
  // The area of business premises without any living space.
  surfaceHabitable: v.unless(isPlot, v.first(area('living_space'), area('net_floor_space'))),
  surfacePlage: range(area('min_divisible'), NONE),
  surfaceTerrain: area('plot_area'),
  surfaceUtile: area('usable_floor_space'),
  surfaceTotale: area('total_floor_space'),
  surfaceBureaux: area('office_space'),
  nbrePieces: v.rooms('number_of_rooms'),
  nbreChambres: v.rooms('number_of_bed_rooms'),
  nbreSallesDeBain: v.integer('number_of_bath_rooms'),
  nbreParkings: v.integer('number_of_parking_spaces'),
  parking: v.anyOf('number_of_parking_spaces', 'garage'),
  parkingType: inWords('parking_space_type', 'garage_type'),
  etage: v.floor('floor'),
  nbreEtages: v.integer('number_of_floors'),
  anneeConstruction: v.year('construction_year'),
  ville: v.text('city'),
  quartier: v.text('district'),
  region: v.firstOf(v.text, 'region', 'administrative_area_level_1'),
  ...where,
  adresse: v.when(showsAddress, v.joined('street', 'house_number')),
  ...position<JsonRecord>('lat', 'lng', showsAddress),
  photos: v.photos('images', photosOf),
  plans: links(plansOf, 'images', 'floorplans'),
  visiteVirtuelle: v.computed(linkedTour, 'links'),
  video: v.computed(linkedFilm, 'links'),
  agenceNom: v.setting('agence-nom'),
  negoNom: v.text('broker.name'),
  negoEmail: v.email('broker.public_email'),
  negoTel: v.firstOf(v.text, 'broker.public_phone', 'broker.public_cell'),
  energie: energy.field('energie'),
  dpeDate: v.day('energy_certificate_start_date'),
  etat: inWords('condition'),
  neuf: v.computed(
    (record: JsonRecord) => /erstbezug$|neubau|first_time/i.test(textOf(record['condition']) ?? '') || undefined,
    'condition',
  ),
  chauffageType: inWords('heating_type'),
  chauffageEnergie: inWords('firing_types'),
  meuble: v.firstOf(v.flag, 'furnished', 'has_furniture'),
  ascenseur: v.flag('lift'),
  balcon: v.anyOf('balcony', 'number_of_balconies'),
  terrasse: v.anyOf('number_of_terraces', 'terrace'),
  climatisation: v.flag('air_conditioning'),
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
    (record: JsonRecord) => [
      ...[record['last_refurbishment']].flatMap((year) =>
        textOf(year) === undefined ? [] : [`Rénové en ${textOf(year) ?? ''}`],
      ),
      ...said(record),
    ],
    'last_refurbishment',
    ...Object.keys(SAID_BY_FLAGS),
  ),
  disponibilite: v.first(
    v.when((record: JsonRecord) => !/\p{L}/u.test(textOf(record['free_from']) ?? ''), v.day('free_from')),
    v.day('start_rental_date'),
  ),
  fraisCommunaute: periodic(v.money('condominium_fee')),
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
  ...v.absent('nothing says whether 0.05 or 5 is five percent: yield_actual is in raw only', 'rendement'),
  ...v.absent('specific to French law', 'loyerReferenceMajore', 'loyerEncadrement'),
};

function typeOf(record: JsonRecord): UnitType | undefined {
  return TYPES.find(textOf(record['rs_type']) ?? '');
}

const PROSE = ['description_note', 'furnishing_note', 'location_note', 'other_note'];

/** Each text has a long form for the agency's own site, which replaces the short one if that is empty. */
function descriptionOf(record: JsonRecord): string | undefined {
  const texts = PROSE.flatMap(
    (name) => plainText(textOf(record[name])) ?? plainText(textOf(record[`long_${name}`])) ?? [],
  );
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

function titleParts(record: JsonRecord): TitleParts {
  return {
    type: typeOf(record)?.title,
    pieces: toRooms(scalarOf(record['number_of_rooms'])),
    ville: plainLine(textOf(record['city'])),
  };
}
