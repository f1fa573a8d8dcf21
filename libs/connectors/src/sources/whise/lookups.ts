import type { TitleWord } from '../../kit/title-words';
import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import { hidden, LET, type Showing, SHOWN, SOLD, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

/** `purpose.id`. */
export const PURPOSES = wordTable<TypeTransaction>({ '1': 'vente', '2': 'location', '3': 'viager' });

export interface EstateType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord): EstateType => ({ code, title });

/** `category.id`. */
export const CATEGORIES = wordTable<EstateType>({
  '1': type('maison', 'Maison'),
  '2': type('appartement', 'Appartement'),
  '3': type('terrain', 'Terrain'),
  '4': type('bureau', 'Bureau'),
  '5': type('local', 'Local commercial'),
  '6': type('local', 'Bâtiment industriel'),
  '7': type('parking', 'Parking'),
});

const villa = type('maison', 'Villa');
const shop = type('boutique', 'Boutique');

/** Values of `subCategory.id` that are more precise than the category; for other values the category is used. */
export const SUB_CATEGORIES = wordTable<EstateType>({
  '3': type('immeuble', 'Immeuble à appartements'),
  '4': type('maison', 'Ferme'),
  '5': type('maison', 'Bungalow'),
  '6': type('parking', 'Garage'),
  '9': type('maison', 'Fermette'),
  '10': type('maison', 'Chalet'),
  '12': type('maison', 'Maison de maître'),
  '13': villa,
  '14': type('chateau', 'Château'),
  '18': type('appartement', 'Duplex'),
  '19': type('appartement', 'Penthouse'),
  '21': type('appartement', 'Studio'),
  '22': type('appartement', 'Triplex'),
  '23': type('loft', 'Loft'),
  '25': type('appartement', 'Rez-de-chaussée'),
  '26': type('terrain', 'Terrain à bâtir'),
  '42': shop,
  '50': type('parking', 'Garage'),
  '51': type('parking', 'Garage'),
  '53': type('local', 'Entrepôt'),
  '65': shop,
  '70': type('maison', 'Maison de campagne'),
  '73': type('appartement', 'Rez-de-jardin'),
  '86': type('parking', 'Garage double'),
  '87': type('maison', 'Cottage'),
  '93': type('appartement', 'Kot'),
  '151': shop,
});

const estimate = hidden('an estimate or a prospect');
const preparation = hidden('in preparation');

/** `status.id`. */
export const STATUSES = wordTable<Showing>({ '1': SHOWN, '5': hidden('archived'), '6': hidden('deleted') });

/** `displayStatusId`. */
export const DISPLAY_STATUSES = wordTable<Showing>({
  '1': hidden('offline'),
  '2': SHOWN,
  '3': SHOWN,
  '4': { ...SOLD, withdrawn: 'a realisation: sold or let, shown as a reference' },
  '5': SHOWN,
});

/** `purposeStatus.id`. */
export const PURPOSE_STATUSES = wordTable<Showing>({
  '1': SHOWN,
  '2': SHOWN,
  '3': SOLD,
  '4': LET,
  '5': UNDER_OFFER,
  '6': UNDER_OFFER,
  '8': hidden('the sale is cancelled'),
  '9': hidden('the rental is cancelled'),
  '10': hidden('the sale is suspended'),
  '11': hidden('the rental is suspended'),
  '12': UNDER_OFFER,
  '13': UNDER_OFFER,
  '14': UNDER_OFFER,
  '15': SHOWN,
  '16': UNDER_OFFER,
  '17': SOLD,
  '19': estimate,
  '20': preparation,
  '21': UNDER_OFFER,
  '22': UNDER_OFFER,
  '23': estimate,
  '24': estimate,
  '25': estimate,
  '26': estimate,
  '27': preparation,
  '28': preparation,
});

/** `country.id`, for the countries where Belgian agencies advertise. */
export const COUNTRIES = wordTable<string>({
  ...{ '1': 'BE', '2': 'NL', '3': 'FR', '4': 'DE', '5': 'LU', '6': 'GB', '7': 'ES', '8': 'IT', '9': 'PT', '10': 'DK' },
  ...{ '11': 'SE', '12': 'NO', '13': 'FI', '20': 'CH', '21': 'US', '22': 'CA', '23': 'AT', '30': 'GR', '31': 'CY' },
  ...{
    '26': 'CZ',
    '29': 'RO',
    '32': 'BG',
    '82': 'HR',
    '119': 'HU',
    '163': 'MC',
    '168': 'MA',
    '233': 'TR',
    '240': 'AE',
  },
});

/** `state.id`; 9 means unknown. */
export const STATES = wordTable({
  ...{ 1: 'neuf', 2: 'très bon état', 3: 'rafraîchi', 4: 'bon état', 5: 'à rafraîchir', 6: 'à rénover' },
  ...{ 7: 'à reconstruire', 8: 'à démolir', 9: '', 10: 'immeuble vert', 11: 'à construire', 12: 'gros œuvre' },
  ...{ 13: 'nouveau projet', 14: 'petite rénovation', 15: 'rénové', 16: 'concept', 17: 'viabilisé' },
  ...{ 18: 'prêt à construire', 19: 'murs fermés', 20: 'construit', 21: 'livré', 22: 'plafonné' },
  ...{ 23: 'terrain à préparer', 24: 'terrain préparé' },
});

/** `availability.id`. */
export const AVAILABILITIES = wordTable({
  ...{ 1: 'à l’acte', 2: 'à convenir avec le propriétaire', 3: 'à convenir avec le locataire', 4: 'indisponible' },
  ...{ 5: 'immédiatement', 6: 'à la livraison', 7: 'à convenir' },
});

/** Detail 53. */
export const HEATING_TYPES = wordTable({ 638: 'individuel', 639: 'collectif' });

/** Detail 1595. A semi-fitted kitchen means neither yes nor no. */
export const KITCHENS = wordTable<boolean | 'partly'>({
  ...{ 683: false, 684: 'partly', 685: true, 686: true, 687: 'partly', 688: true, 689: true },
});

/** Details 2222 and 2223: the flood area, with the words of the law. */
export const FLOOD_AREAS = wordTable({
  ...{ 1229: 'zone effectivement inondable', 1230: 'zone potentiellement inondable', 1233: 'hors zone inondable' },
  ...{ 1231: 'zone inondable délimitée', 1232: 'zone riveraine délimitée' },
});

/** Detail 1736. */
export const GROUND_DESTINATIONS = wordTable({
  ...{ 1: 'zone agricole', 2: 'zone d’activité économique', 3: 'zone d’extraction', 4: 'zone de réserve' },
  ...{ 5: 'zone forestière', 6: 'zone industrielle', 7: 'zone de loisirs de jour', 8: 'zone de loisirs avec séjour' },
  ...{ 9: 'zone d’habitat mixte', 10: 'zone naturelle', 11: 'zone de parc', 12: 'zone d’habitat' },
  ...{ 13: 'zone d’habitat d’intérêt', 14: 'zone d’habitat en parc', 15: 'zone d’extension d’habitat' },
  ...{ 16: 'zone tampon', 17: 'réserve naturelle', 18: 'zone agricole d’intérêt', 19: 'zone artisanale' },
  ...{ 999: 'zone d’habitat à caractère rural', 1839: 'autre', 1871: 'zone de développement urbain' },
});

/** Detail 2712: whether there are proceedings; `other` is a different measure. */
export const SUMMONS = wordTable<boolean | 'other'>({
  ...{ 1832: true, 1833: 'other', 1834: 'other', 1835: 'other', 1836: 'other', 1837: false },
});

/** Details 23, 1000, 1737, 2098 and 2099: each has its own numbers for the eight points of the compass. */
export const ORIENTATIONS = wordTable(
  Object.fromEntries(
    [27, 35, 43, 978, 987].flatMap((first) =>
      ['nord', 'nord-est', 'est', 'sud-est', 'sud', 'sud-ouest', 'ouest', 'nord-ouest'].map((side, step) => [
        String(first + step),
        side,
      ]),
    ),
  ),
);
