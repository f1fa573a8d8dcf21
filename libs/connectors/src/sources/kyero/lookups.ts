import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { wordTable, type WordTable } from '../../kit/words';

/** What `price_freq` says: the kind of offer, and for a rent its period. */
export interface PriceFrequency {
  typeTransaction: TypeTransaction;
  period: RentPeriod;
  isNew: boolean;
}

const sale: PriceFrequency = { typeTransaction: 'vente', period: 'mois', isNew: false };

function rent(period: RentPeriod): PriceFrequency {
  return { typeTransaction: 'location', period, isNew: false };
}

/** `week` and `new_build` are of version 2.1; `rent` is in neither, and seen. */
export const PRICE_FREQUENCIES = wordTable<PriceFrequency>({
  sale,
  resale: sale,
  new_build: { ...sale, isNew: true },
  month: rent('mois'),
  rent: rent('mois'),
  monthly: rent('mois'),
  week: rent('semaine'),
  weekly: rent('semaine'),
  day: rent('jour'),
  daily: rent('jour'),
  year: rent('an'),
  yearly: rent('an'),
});

/** A property type, and the French word that a built title says. */
export interface PropertyType {
  code: TypeCode;
  title: string;
}

function type(code: TypeCode, title: string): PropertyType {
  return { code, title };
}

const apartment = type('appartement', 'Appartement');
const house = type('maison', 'Maison');
const villa = type('maison', 'Villa');
const townHouse = type('maison', 'Maison de ville');
const countryHouse = type('maison', 'Maison de campagne');
const terracedHouse = type('maison', 'Maison mitoyenne');
const plot = type('terrain', 'Terrain');
const parking = type('parking', 'Parking');
const garage = type('parking', 'Garage');
const building = type('immeuble', 'Immeuble');
const office = type('bureau', 'Bureau');
const premises = type('local', 'Local commercial');
const shop = type('boutique', 'Boutique');

/** `type` is free text: the words that feeds use, in English and, for version 2.1, in Spanish, German, French. */
const TYPE_NAMES = wordTable<PropertyType>({
  apartment,
  appartment: apartment,
  flat: apartment,
  apartamento: apartment,
  piso: apartment,
  wohnung: apartment,
  appartement: apartment,
  'ground floor apartment': apartment,
  penthouse: type('appartement', 'Penthouse'),
  atico: type('appartement', 'Penthouse'),
  duplex: type('appartement', 'Duplex'),
  triplex: type('appartement', 'Triplex'),
  studio: type('appartement', 'Studio'),
  estudio: type('appartement', 'Studio'),
  loft: type('loft', 'Loft'),
  villa,
  'detached villa': villa,
  'semi-detached villa': villa,
  'luxury villa': villa,
  chalet: type('maison', 'Chalet'),
  house,
  casa: house,
  haus: house,
  maison: house,
  'detached house': house,
  'semi-detached house': house,
  'semi-detached': house,
  detached: house,
  'quad house': house,
  quad: house,
  town_house: townHouse,
  townhouse: townHouse,
  'village house': type('maison', 'Maison de village'),
  adosado: terracedHouse,
  'terraced house': terracedHouse,
  terraced: terracedHouse,
  country_house: countryHouse,
  'country property': countryHouse,
  cottage: type('maison', 'Cottage'),
  bungalow: type('maison', 'Bungalow'),
  finca: type('maison', 'Finca'),
  cortijo: type('maison', 'Cortijo'),
  'cave house': type('maison', 'Maison troglodyte'),
  farmhouse: type('maison', 'Ferme'),
  castle: type('chateau', 'Château'),
  castillo: type('chateau', 'Château'),
  mansion: type('hotel-particulier', 'Hôtel particulier'),
  plot,
  land: plot,
  parcela: plot,
  terreno: plot,
  solar: plot,
  grundstuck: plot,
  terrain: plot,
  'building plot': plot,
  garage,
  garaje: garage,
  parking,
  'parking space': parking,
  building,
  edificio: building,
  office,
  oficina: office,
  commercial: premises,
  'commercial property': premises,
  'business premises': premises,
  local: premises,
  'local comercial': premises,
  hotel: type('local', 'Hôtel'),
  restaurant: type('local', 'Restaurant'),
  bar: type('local', 'Bar'),
  warehouse: type('local', 'Entrepôt'),
  shop,
  retail: shop,
  business: type('fonds', 'Fonds de commerce'),
});

/** The type that a word names: `Villas`, `Ground Floor Flat`; in English the last word says what it is. */
export const TYPES: WordTable<PropertyType> = {
  find(word) {
    for (const name of [word, word.split(/[\s_-]+/).at(-1) ?? '']) {
      const found = TYPE_NAMES.find(name) ?? TYPE_NAMES.find(name.replace(/s$/i, ''));
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
