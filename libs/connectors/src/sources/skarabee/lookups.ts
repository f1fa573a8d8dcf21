import type { TitleWord } from '../../kit/title-words';
import { FLOOD_SCORES, type RentPeriod, type TypeCode, type TypeTransaction } from '@passerelle/domain';
import { hidden, LET, type Showing, SOLD, UNDER_CONTRACT, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

export const PUBLICATION_TYPES: readonly string[] = ['TRANSACTION', 'PROJECT', 'LOT', 'MODEL'];

/** Errors that an operator must fix. */
export const REFUSALS: ReadonlySet<string> = new Set([
  ...['USER_NOT_FOUND', 'UNAUTHORIZED_ACCESS_TO_USER', 'INACTIVE_USER', 'INVALID_LINK_LOGIN'],
  ...['UNAUTHORIZED_ACTION', 'INVALID_USER_REFERENCE'],
]);

const all = <T>(meaning: T, ...words: readonly string[]): Record<string, T> =>
  Object.fromEntries(words.map((word) => [word, meaning]));

/** `Property/Status`. */
export const STATUSES = wordTable<Showing>({
  ...all<Showing>({}, 'FOR_SALE', 'FOR_RENT'),
  ...all<Showing>(UNDER_OFFER, 'OPTION_FOR_SALE', 'OPTION_FOR_RENT'),
  SOLD: { ...SOLD, withdrawn: 'Status: sold' },
  RENTED: { ...LET, withdrawn: 'Status: let' },
  ...all<Showing>(hidden('Status: the order has ended'), 'FOR_RENT_ORDER_ENDED', 'FOR_SALE_ORDER_ENDED'),
  ...all<Showing>(hidden('Status: a prospect'), 'PROSPECT_FOR_SALE', 'PROSPECT_FOR_RENT'),
  ...all<Showing>(hidden('Status: a valuation'), 'PRICING'),
  ...all<Showing>(hidden('Status: in management'), 'IN_MANAGEMENT'),
});

/** `Property/FlowStatus`. */
export const FLOW_STATUSES = wordTable<Showing>({
  ...all<Showing>({}, 'FOR_SALE', 'FOR_RENT', 'FOR_SALE_WITH_BID', 'TO_NEGOTIATE_FOR_RENT'),
  ...all<Showing>(UNDER_OFFER, 'FOR_SALE_RESERVED', 'FOR_RENT_RESERVED'),
  SOLD_UNDER_RESERVE: UNDER_CONTRACT,
  ...all<Showing>(UNDER_OFFER, 'TO_COMPLETE_FOR_RENT', 'TO_COMPLETE_OPTION_FOR_SALE', 'TO_COMPLETE_FOR_SALE'),
  ...all<Showing>(hidden('FlowStatus: a prospect'), 'PROSPECT_FOR_SALE', 'PROSPECT_FOR_RENT'),
  ...all<Showing>(hidden('FlowStatus: in preparation'), 'PREPARATION_FOR_SALE', 'PREPARATION_FOR_RENT'),
  ...all<Showing>(
    { ...LET, withdrawn: 'FlowStatus: let' },
    'RENTED_WITH_CONTRACT',
    'RENTED_MOVED',
    'RENTED_IN_MANAGEMENT',
  ),
  ...all<Showing>({ ...SOLD, withdrawn: 'FlowStatus: sold' }, 'SOLD', 'SOLD_DEED_EXECUTED'),
  ...all<Showing>(hidden('FlowStatus: on hold'), 'FOR_RENT_ON_HOLD', 'FOR_SALE_ON_HOLD'),
});

/** The transaction that `Property/Status` names. */
export const TRANSACTIONS = wordTable<TypeTransaction>({
  ...all<TypeTransaction>('vente', 'FOR_SALE', 'OPTION_FOR_SALE', 'SOLD'),
  ...all<TypeTransaction>('location', 'FOR_RENT', 'OPTION_FOR_RENT', 'RENTED'),
});

/** `PriceType` of a rent. A price per square metre is no rent. */
export const RENT_TYPES = wordTable<RentPeriod | 'per m2'>({
  ...all<RentPeriod | 'per m2'>('mois', 'PRICE_PER_MONTH', 'TOTAL'),
  PRICE_PER_YEAR: 'an',
  ...all<RentPeriod | 'per m2'>('per m2', 'M2_PER_MONTH', 'M2_PER_YEAR', 'PER_M2'),
});

/** Intervals of charges and of an annuity. */
export const INTERVALS = wordTable<RentPeriod>({
  ...{ MONTHLY: 'mois', YEARLY: 'an', QUARTERLY: 'trimestre', TRIMESTER: 'trimestre', TRIMESTRIAL: 'trimestre' },
});

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord, ...words: readonly string[]): Record<string, PropertyType> =>
  all({ code, title }, ...words);

/** `Typo/Genre`, where it is more precise than `Typo/Sort`. */
export const GENRES = wordTable<PropertyType>({
  ...type('chateau', 'Château', 'Castle'),
  ...type('hotel-particulier', 'Hôtel particulier', 'LordHouse', 'Mansion'),
  ...type('loft', 'Loft', 'Loft'),
  ...type('maison', 'Villa', 'Villa', 'ExclusiveVilla'),
  ...type('maison', 'Bungalow', 'Bungalow', 'PatioBungalow', 'SemiBungalow'),
  ...type('appartement', 'Studio', 'Studio'),
  ...type('appartement', 'Duplex', 'Duplex', 'Maisonette'),
  ...type('appartement', 'Triplex', 'Triplex'),
  ...type('appartement', 'Penthouse', 'Penthouse', 'RoofAppartement'),
  ...type('immeuble', 'Immeuble', 'Dwelling_Building', 'Flat_Building'),
  ...type('parking', 'Garage', 'GarageBox'),
  ...type('local', 'Entrepôt', 'Warehouse', 'Hangar'),
});

/** `Typo/Sort`. */
export const SORTS = wordTable<PropertyType>({
  ...type('maison', 'Maison', 'Dwelling'),
  ...type('appartement', 'Appartement', 'Flat', 'ServiceFlat'),
  ...type('appartement', 'Chambre', 'Room'),
  ...type('terrain', 'Terrain', 'Land', 'ProfessionalLand'),
  ...type('parking', 'Parking', 'Parking'),
  ...type('bureau', 'Bureau', 'Office'),
  ...type('boutique', 'Boutique', 'Shop'),
  ...type('local', 'Local commercial', 'Industry', 'Catering', 'ProfessionalOther'),
  ...type('autre', 'Bien', 'Other'),
});

/** `Property/Type`, if there is no `Typo`. Only these codes have a clear meaning. */
export const OLD_TYPES = wordTable<PropertyType>({
  ...type('appartement', 'Appartement', 'APP'),
  ...type('parking', 'Garage', 'GAR'),
  ...type('bureau', 'Bureau', 'OFF'),
  ...type('boutique', 'Boutique', 'SHO'),
});

/** `GeneralState`. */
export const STATES = wordTable({
  ...{ READY_FOR_ENTRY: 'prêt à emménager', NORMAL: 'état normal', LUXURY_FINISH: 'finition luxueuse' },
  ...{ TO_RENOVATE: 'à rénover', TO_BE_DEMOLISHED: 'à démolir', TO_REFURBISH: 'à rafraîchir', SIMPLE: 'simple' },
});

/** `Acception`. "By a date" has no meaning without the date. */
export const AVAILABILITIES = wordTable({
  ...{ IMMEDIATELY: 'immédiatement', IN_CONSULTATION: 'à convenir', BY_DATE: '', BY_DEED: 'à l’acte' },
  WHEN_READY: 'à la livraison',
});

/** `Orientation`. */
export const ORIENTATIONS = wordTable({
  ...{ NORTH: 'nord', NORTH_EAST: 'nord-est', EAST: 'est', SOUTH_EAST: 'sud-est', SOUTH: 'sud' },
  ...{ SOUTH_WEST: 'sud-ouest', WEST: 'ouest', NORTH_WEST: 'nord-ouest' },
});

/** `HeatingTypes`: the fuel. Words for the system or its location name no fuel. */
export const HEAT_SOURCES = wordTable({
  ...all('gaz', 'NATURAL_GAS', 'GAS_STOVE', 'GAS_FIREPLACE'),
  ...{ HEATING_OIL: 'mazout', ELECTRICITY: 'électricité', COALS: 'charbon', PELLET_STOVE: 'pellets' },
  ...{ GEOTHERMAL: 'géothermie', HEATING_PUMP: 'pompe à chaleur', SOLAR_COLLECTORS: 'solaire' },
  DISTRICT_HEATING: 'réseau de chaleur',
  ...all('', 'NONE', 'OTHER', 'CENTRALLY_HEATED', 'CENTRAL_FACILITIES', 'COLLECTIVE_HEATING', 'INDIVIDUAL', 'AIRCO'),
  ...all('', 'GEYSER_RENT', 'GEYSER_OWN', 'BOILER_RENT', 'BOILER_OWN', 'ELECTRICAL_BOILER_RENT', 'WINDMILL'),
  ...all('', 'ELECTRICAL_BOILER_OWN', 'PARENT_HEARTH', 'HOT_AIR_HEATING', 'FIRE_PLACE', 'FIRE_PLACE_POSSIBLE'),
  ...all('', 'FLOOR_HEATING_FULLY', 'FLOOR_HEATING_PARTIAL', 'CONDENSING_BOILER', 'HP_BOILER', 'COMBI_BOILER'),
});

/** `HeatingTypes`: the heating system. This table ignores the words for the fuel. */
export const HEATING_KINDS = wordTable({
  ...{ CENTRALLY_HEATED: 'central', COLLECTIVE_HEATING: 'collectif', INDIVIDUAL: 'individuel' },
  ...{ FLOOR_HEATING_FULLY: 'par le sol', FLOOR_HEATING_PARTIAL: 'par le sol en partie', HOT_AIR_HEATING: 'à air' },
});

/** `KitchenType`. */
export const KITCHENS = wordTable<boolean | 'open'>({
  ...{ BUILD_WITH_APPLIANCES: true, BUILD_WITHOUT_APPLIANCES: true, OPEN_KITCHEN: 'open' },
});

/** `WaterPolicyPScore` and `WaterPolicyGScore`. */
export const FLOOD_LETTERS = wordTable<(typeof FLOOD_SCORES)[number]>(
  Object.fromEntries(FLOOD_SCORES.map((score) => [score, score])),
);

/** `FloodProneArea`, with the words of the law. */
export const FLOOD_AREAS = wordTable({
  ...{ EFFECTIVE: 'zone effectivement inondable', POSSIBLE: 'zone potentiellement inondable' },
  NONE: 'hors zone inondable',
});

/** `DelimitedFloodplainOrRiverbank`. */
export const FLOOD_LINES = wordTable({
  ...{ FLOODPLAIN: 'zone inondable délimitée', RIVERBANK: 'zone riveraine délimitée', NONE: '' },
});
