import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { wordTable, type WordTable } from '../../kit/word-table';
import { hidden, LET, type Showing, SOLD } from '../../kit/status';

/** The words for offers in `accion`. An "o" separates several offers. */
export const ACTIONS = wordTable<TypeTransaction>({
  ...{ vender: 'vente', venta: 'vente', 'en venta': 'vente', 'obra nueva': 'vente' },
  ...{ alquilar: 'location', alquiler: 'location', 'en alquiler': 'location', arrendar: 'location' },
  ...{
    'alquiler con opcion a compra': 'location',
    'alquilar con opcion a compra': 'location',
    'alquiler opcion compra': 'location',
    'larga temporada': 'location',
  },
  ...{ 'alquiler vacacional': 'location-saisonniere', 'alquiler de temporada': 'location-saisonniere' },
  ...{ 'alquiler temporada': 'location-saisonniere', vacacional: 'location-saisonniere' },
  ...{ 'alquiler por temporada': 'location-saisonniere', 'alquiler turistico': 'location-saisonniere' },
  ...{ traspasar: 'cession-de-bail', traspaso: 'cession-de-bail', 'en traspaso': 'cession-de-bail' },
});

/** `tipomensual`. A rent per weekend (`FIN`) cannot be converted to a month and is omitted. */
export const PERIODS = wordTable<RentPeriod>({
  ...{ mes: 'mois', mensual: 'mois', meses: 'mois', sem: 'semaine', semana: 'semaine', semanas: 'semaine' },
  ...{ semanal: 'semaine', dia: 'jour', dias: 'jour', diario: 'jour', noche: 'jour', noches: 'jour' },
  ...{ qui: 'quinzaine', quincena: 'quinzaine', quincenal: 'quinzaine', ano: 'an', anual: 'an' },
  ...{ tri: 'trimestre', trimestre: 'trimestre', trimestral: 'trimestre', semestral: 'semestre' },
});

/** `estadoficha`: whether the property is reserved. The meaning of other codes is not public. */
export const STATES = wordTable<boolean>({
  ...{ 1: false, activo: false, activa: false, disponible: false },
  ...{ 7: true, reservado: true, reservada: true },
});

const GONE_AWAY = hidden('withdrawn');

/** Words in `accion` and `estadoficha` for properties that are no longer offered. */
export const GONE = wordTable<Showing>({
  ...{ vendido: SOLD, vendida: SOLD, alquilado: LET, alquilada: LET, traspasado: SOLD, traspasada: SOLD },
  ...{ baja: GONE_AWAY, 'de baja': GONE_AWAY, retirado: GONE_AWAY, retirada: GONE_AWAY },
});

/** The language numbers in `titulo` and `descrip` that public readers of such feeds name. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ 1: 'es', 2: 'en', 3: 'de', 4: 'fr', 7: 'ru', 8: 'pt', 9: 'sv', 17: 'pl' },
};
/** Higher than any number in a known feed. */
export const MOST_LANGUAGES = 30;

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

function type(code: TypeCode, title: TitleWord, ...words: readonly string[]): readonly [string, PropertyType][] {
  const meaning = { code, title };
  return words.map((word) => [word, meaning]);
}

const WORDS = wordTable<PropertyType>(
  Object.fromEntries([
    ...type('appartement', 'Appartement', 'piso', 'apartamento', 'vivienda', 'bajo', 'planta baja', 'entresuelo'),
    ...type('appartement', 'Appartement', 'semisótano', 'altillo', 'habitación', 'apartahotel', 'flat'),
    ...type('appartement', 'Penthouse', 'ático', 'sobreático', 'penthouse'),
    ...type('appartement', 'Duplex', 'dúplex', 'ático dúplex', 'piso dúplex'),
    ...type('appartement', 'Triplex', 'tríplex'),
    ...type('appartement', 'Studio', 'estudio'),
    ...type('loft', 'Loft', 'loft'),
    ...type('maison', 'Maison', 'casa', 'unifamiliar', 'moradia', 'casa de madera', 'house'),
    ...type('maison', 'Villa', 'villa', 'villa de lujo', 'torre'),
    ...type('maison', 'Chalet', 'chalet', 'chalet independiente'),
    ...type('maison', 'Maison mitoyenne', 'adosado', 'casa adosada', 'chalet adosado', 'casa pareada', 'pareado'),
    ...type('maison', 'Bungalow', 'bungalow', 'bungalow planta baja', 'bungalow planta alta'),
    ...type('maison', 'Maison de village', 'casa de pueblo', 'casa de poble'),
    ...type('maison', 'Maison de campagne', 'casa de campo', 'casa rural', 'caserío', 'masía', 'quinta', 'casona'),
    ...type('maison', 'Finca', 'finca', 'finca rústica', 'hacienda'),
    ...type('maison', 'Cortijo', 'cortijo'),
    ...type('maison', 'Maison troglodyte', 'casa cueva', 'cueva'),
    ...type('chateau', 'Château', 'castillo'),
    ...type('hotel-particulier', 'Hôtel particulier', 'palacio', 'casa palacio', 'casa señorial', 'palacete'),
    ...type('terrain', 'Terrain', 'terreno', 'solar', 'parcela', 'suelo', 'huerto', 'olivar', 'terreno urbano'),
    ...type('terrain', 'Terrain', 'terreno rústico', 'terreno industrial', 'suelo urbano', 'suelo urbanizable'),
    ...type('parking', 'Garage', 'garaje', 'garaje cerrado', 'plaza de garaje'),
    ...type('parking', 'Parking', 'parking', 'plaza de parking', 'aparcamiento'),
    ...type('immeuble', 'Immeuble', 'edificio', 'edificio de viviendas', 'bloque de pisos'),
    ...type('bureau', 'Bureau', 'oficina', 'despacho'),
    ...type('local', 'Local commercial', 'local', 'local comercial', 'nave', 'nave industrial', 'almacén'),
    ...type('local', 'Hôtel', 'hotel', 'hostal', 'pensión', 'albergue', 'camping'),
    ...type('local', 'Restaurant', 'restaurante', 'bar', 'cafetería', 'pub', 'discoteca'),
    ...type('boutique', 'Boutique', 'tienda', 'comercio'),
    ...type('fonds', 'Fonds de commerce', 'negocio', 'traspaso', 'licencia'),
    ...type('autre', 'Débarras', 'trastero'),
    ...type('autre', 'Amarrage', 'amarre'),
  ]),
);

/** More words than any name in the table has. */
const MOST_WORDS = 12;

/** The longest beginning of the text that is in the table decides: `Ático con terraza`. */
export const TYPES: WordTable<PropertyType> = {
  find(word) {
    const parts = word.trim().split(/\s+/, MOST_WORDS);
    for (let count = parts.length; count > 0; count -= 1) {
      const name = parts.slice(0, count).join(' ');
      const found = WORDS.find(name) ?? WORDS.find(name.replace(/s$/i, ''));
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
