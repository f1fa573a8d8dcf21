import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode } from '@passerelle/domain';
import type { AreaUnit } from '../../kit/clean/number';
import { LET, type Showing, SOLD, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

const all = <T>(meaning: T, ...words: readonly string[]): Record<string, T> =>
  Object.fromEntries(words.map((word) => [word, meaning]));

/** Values of `type`: English words that each agency chooses. */
export const TYPES = wordTable<PropertyType>({
  ...all<PropertyType>(
    { code: 'maison', title: 'Maison' },
    ...[
      'House',
      'Detached House',
      'Detached',
      'Semi-Detached House',
      'Semi-Detached',
      'Semi Detached',
      'Terraced House',
    ],
    ...['Terraced', 'End of Terrace', 'End Terrace', 'Mid Terrace', 'Link Detached', 'Town House', 'Townhouse', 'Mews'],
    ...['Cottage', 'Villa', 'Barn Conversion', 'Farm House', 'Chalet', 'Semi-Detached Villa'],
  ),
  ...all<PropertyType>(
    { code: 'maison', title: 'Bungalow' },
    'Bungalow',
    'Detached Bungalow',
    'Semi-Detached Bungalow',
  ),
  ...all<PropertyType>(
    { code: 'appartement', title: 'Appartement' },
    ...['Flat', 'Apartment', 'Ground Floor Flat', 'Upper Floor Flat', 'Ground Flat', 'Retirement Property'],
  ),
  ...all<PropertyType>({ code: 'appartement', title: 'Studio' }, 'Studio', 'Studio Flat'),
  ...all<PropertyType>({ code: 'appartement', title: 'Duplex' }, 'Maisonette', 'Duplex'),
  ...all<PropertyType>({ code: 'appartement', title: 'Penthouse' }, 'Penthouse'),
  ...all<PropertyType>({ code: 'terrain', title: 'Terrain' }, 'Land', 'Plot', 'Building Plot', 'Development Site'),
  ...all<PropertyType>({ code: 'parking', title: 'Garage' }, 'Garage', 'Garages', 'Parking'),
  ...all<PropertyType>({ code: 'bureau', title: 'Bureau' }, 'Office', 'Offices', 'Serviced Office'),
  ...all<PropertyType>({ code: 'boutique', title: 'Boutique' }, 'Shop', 'Retail', 'Retail Property'),
  ...all<PropertyType>({ code: 'local', title: 'Local commercial' }, 'Commercial', 'Commercial Property', 'Industrial'),
  ...all<PropertyType>({ code: 'local', title: 'Entrepôt' }, 'Warehouse', 'Light Industrial', 'Industrial Unit'),
  ...all<PropertyType>({ code: 'immeuble', title: 'Immeuble' }, 'Block of Flats', 'Block of Apartments'),
});

/** `web_status` of sales. */
export const SELLING = wordTable<Showing>({
  ...all<Showing>({}, '0', '4', '6', '7', '8', '9', '10', '11', '12', '13'),
  ...all<Showing>(UNDER_OFFER, '1', '3', '5'),
  '2': SOLD,
});

/** `web_status` of lettings. Later versions of the API add 100 to each number. */
export const LETTING = wordTable<Showing>({
  ...all<Showing>({}, '0', '100'),
  ...all<Showing>(UNDER_OFFER, '2', '3', '4', '102', '103', '104'),
  ...all<Showing>(LET, '1', '101'),
});

/** `price/@rent`. */
export const PERIODS = wordTable<RentPeriod>({
  ...all<RentPeriod>('mois', 'pcm', 'pm', 'p.c.m.', 'per month', 'per calendar month', 'monthly', 'month'),
  ...all<RentPeriod>('semaine', 'pw', 'p.w.', 'per week', 'weekly', 'week'),
  ...all<RentPeriod>('trimestre', 'pq', 'per quarter', 'quarterly'),
  ...all<RentPeriod>('an', 'pa', 'p.a.', 'per annum', 'per year', 'annually', 'yearly'),
  ...all<RentPeriod>('jour', 'pd', 'per day', 'daily'),
});

/** `rm_qualifier`, with the words that adverts use. */
export const QUALIFIERS = wordTable<string>({
  ...{ 0: '', 1: '', 2: 'Guide price', 3: 'Fixed price', 4: 'Offers in excess of', 5: 'Offers in the region of' },
  ...{ 6: 'Sale by tender', 7: 'From', 9: 'Shared ownership', 10: 'Offers over', 11: 'Part buy part rent' },
  12: 'Shared equity',
});

/** `area/@unit`. */
export const UNITS = wordTable<AreaUnit>({
  sqft: 'ft2',
  sqm: 'm2',
  acre: 'acre',
  acres: 'acre',
  hectare: 'ha',
  hectares: 'ha',
});

/** `furnished`: "either way" and "not specified" mean neither yes nor no. */
export const FURNISHED = wordTable<boolean | 'either'>({ 0: true, 1: 'either', 2: false, 3: 'either', 4: 'either' });

/** `file/@type`. */
export const FILE_TYPES = { photo: '0', plan: '2', tour: '3', document: '7', link: '8', certificate: '9' } as const;
