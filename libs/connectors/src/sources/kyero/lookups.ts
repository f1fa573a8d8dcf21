import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { wordTable, type WordTable } from '../../kit/word-table';

export interface PriceFrequency {
  typeTransaction: TypeTransaction;
  /** Undefined when the word names no period. */
  period?: RentPeriod;
  isNew: boolean;
}

const sale: PriceFrequency = { typeTransaction: 'vente', period: 'mois', isNew: false };

function rent(period: RentPeriod): PriceFrequency {
  return { typeTransaction: 'location', period, isNew: false };
}

/** `week` and `new_build` belong to version 2.1. `rent` is in neither version, but feeds have it. */
export const PRICE_FREQUENCIES = wordTable<PriceFrequency>({
  sale,
  resale: sale,
  new_build: { ...sale, isNew: true },
  month: rent('mois'),
  rent: rent('mois'),
  rental: { typeTransaction: 'location', isNew: false },
  monthly: rent('mois'),
  week: rent('semaine'),
  weekly: rent('semaine'),
  day: rent('jour'),
  daily: rent('jour'),
  year: rent('an'),
  yearly: rent('an'),
  // Words in the agency's language.
  venta: sale,
  vente: sale,
  verkauf: sale,
  'for sale': sale,
  alquiler: rent('mois'),
  location: rent('mois'),
  miete: rent('mois'),
  'for rent': rent('mois'),
  'long term rental': rent('mois'),
});

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

function type(code: TypeCode, title: TitleWord): PropertyType {
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

/** `type` is free text in ten languages. An entry also covers longer terms: "house" also finds "detached house". */
const WORDS_BY_TYPE: readonly (readonly [PropertyType, ...(readonly string[])])[] = [
  [apartment, 'apartment', 'appartment', 'flat', 'condo', 'condominium', 'maisonette', 'ground floor apartment'],
  [apartment, 'apartamento', 'piso', 'bajo', 'planta baja', 'wohnung', 'apartement', 'appartement', 'appartamento'],
  [
    apartment,
    'etagenwohnung',
    'erdgeschosswohnung',
    'ferienwohnung',
    'lägenhet',
    'leilighet',
    'lejlighed',
    'bovenwoning',
  ],
  [type('appartement', 'Penthouse'), 'penthouse', 'ático', 'attico', 'dachgeschosswohnung', 'cobertura'],
  [type('appartement', 'Duplex'), 'duplex'],
  [type('appartement', 'Triplex'), 'triplex'],
  [type('appartement', 'Studio'), 'studio', 'estudio', 'monolocale', 'studio flat'],
  [type('loft', 'Loft'), 'loft'],
  [villa, 'villa', 'detached villa', 'semi-detached villa', 'luxury villa', 'villetta'],
  [type('maison', 'Chalet'), 'chalet'],
  [house, 'house', 'casa', 'haus', 'maison', 'huis', 'woning', 'woonhuis', 'hus', 'villa house', 'home', 'enebolig'],
  [
    house,
    'detached house',
    'semi-detached house',
    'semi-detached',
    'detached',
    'quad house',
    'quad',
    'moradia',
    'vivienda',
  ],
  [house, 'einfamilienhaus', 'doppelhaus', 'doppelhaushälfte', 'pareado', 'chalet pareado', 'residential house'],
  [townHouse, 'town_house', 'townhouse', 'maison de ville', 'herenhuis', 'stadthaus'],
  [type('maison', 'Maison de village'), 'village house', 'casa de pueblo', 'maison de village'],
  [terracedHouse, 'terraced house', 'terraced', 'adosado', 'casa adosada', 'chalet adosado', 'maison mitoyenne'],
  [terracedHouse, 'reihenhaus', 'rijwoning', 'tussenwoning', 'hoekwoning', 'villetta a schiera', 'radhus', 'rekkehus'],
  [countryHouse, 'country_house', 'country property', 'casa rural', 'casa de campo', 'maison de campagne', 'landhaus'],
  [countryHouse, 'landhuis', 'casale', 'quinta', 'masía'],
  [type('maison', 'Cottage'), 'cottage'],
  [type('maison', 'Bungalow'), 'bungalow'],
  [type('maison', 'Finca'), 'finca'],
  [type('maison', 'Cortijo'), 'cortijo'],
  [type('maison', 'Maison troglodyte'), 'cave house', 'casa cueva'],
  [type('maison', 'Ferme'), 'farmhouse', 'farm house', 'ferme', 'bauernhaus', 'boerderij'],
  [type('chateau', 'Château'), 'castle', 'castillo', 'château', 'schloss', 'kasteel', 'castello'],
  [type('hotel-particulier', 'Hôtel particulier'), 'mansion'],
  [plot, 'plot', 'land', 'plot of land', 'land plot', 'building plot', 'building land', 'urban plot', 'rustic land'],
  [plot, 'parcela', 'terreno', 'solar', 'suelo', 'lote', 'terrain', 'terrain à bâtir', 'terrain constructible'],
  [
    plot,
    'grundstück',
    'baugrundstück',
    'bauland',
    'bouwgrond',
    'grond',
    'perceel',
    'tomt',
    'grund',
    'agricultural land',
  ],
  [garage, 'garage', 'garaje', 'garagem', 'garasje', 'garagebox'],
  [parking, 'parking', 'parking space', 'plaza de garaje', 'plaza de aparcamiento', 'stellplatz', 'tiefgarage'],
  [parking, 'parkeerplaats', 'posto auto'],
  [building, 'building', 'edificio', 'immeuble', 'gebäude', 'mehrfamilienhaus', 'gebouw', 'prédio', 'apartment block'],
  [office, 'office', 'oficina', 'bureau', 'büro', 'kantoor', 'ufficio', 'escritório', 'kontor'],
  [premises, 'commercial', 'commercial property', 'business premises', 'premises', 'local', 'local comercial'],
  [premises, 'local commercial', 'gewerbe', 'bedrijfspand', 'locale commerciale', 'nave', 'nave industrial', 'armazém'],
  [type('local', 'Hôtel'), 'hotel', 'hostal', 'hostel', 'bed and breakfast', 'guest house'],
  [type('local', 'Restaurant'), 'restaurant', 'restaurante'],
  [type('local', 'Bar'), 'bar'],
  [type('local', 'Entrepôt'), 'warehouse', 'almacén', 'entrepôt'],
  [shop, 'shop', 'retail', 'tienda', 'boutique', 'laden', 'winkel', 'negozio', 'loja'],
  [type('fonds', 'Fonds de commerce'), 'business', 'traspaso', 'negocio', 'fonds de commerce'],
];
const TYPE_NAMES = wordTable<PropertyType>(
  Object.fromEntries(WORDS_BY_TYPE.flatMap(([meaning, ...words]) => words.map((word) => [word, meaning]))),
);

const ROMANCE =
  /^(?:apartamento|appartement|appartamento|piso|casa|maison|moradia|terreno|terrain|parcela|solar|local|nave|edificio|immeuble|oficina|finca|chalet|estudio|[aá]tico|d[uú]plex|garaje|cortijo|mas[ií]a)s?$/i;

/** The last word names the type, in Romance languages the first word: `Ground Floor Flat`, `Terreno rústico`. */
export const TYPES: WordTable<PropertyType> = {
  find(word) {
    const parts = word.split(/[\s_/,-]+/);
    const [first = ''] = parts;
    for (const name of [word, parts.at(-1) ?? '', ROMANCE.test(first) ? first : '']) {
      const found = TYPE_NAMES.find(name) ?? TYPE_NAMES.find(name.replace(/s$/i, ''));
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
