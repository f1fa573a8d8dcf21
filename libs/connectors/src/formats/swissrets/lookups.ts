import type { TitleWord } from '../../kit/title-words';
import type { RentPeriod, TypeCode } from '@passerelle/domain';
import { wordTable } from '../../kit/word-table';
import { type Showing, UNDER_OFFER } from '../../kit/status';

/** The words of `type`. */
export const TRANSACTIONS = wordTable<'vente' | 'location'>({ buy: 'vente', sale: 'vente', rent: 'location' });

/** `isOver`: sold or let, by the record's type. */
export interface Availability extends Showing {
  isOver?: true;
}

export const AVAILABILITIES = wordTable<Availability>({
  active: {},
  reserved: UNDER_OFFER,
  reference: { withdrawn: 'availability is "reference": a transaction of the past', isOver: true },
  taken: { withdrawn: 'availability is "taken": sold or let', isOver: true },
  private: { withdrawn: 'availability is "private": not for the public' },
  // These words are not in the schema; they mean that the property must not be shown.
  inactive: { withdrawn: 'availability is "inactive"' },
  deleted: { withdrawn: 'availability is "deleted"' },
  sold: { withdrawn: 'availability is "sold"', statut: 'vendu' },
  rented: { withdrawn: 'availability is "rented"', statut: 'loue' },
  archived: { withdrawn: 'availability is "archived"' },
  withdrawn: { withdrawn: 'availability is "withdrawn"' },
});

/** `interval` of a price. A price that is paid once is no rent. */
export const INTERVALS = wordTable<RentPeriod | 'once'>({
  day: 'jour',
  week: 'semaine',
  month: 'mois',
  year: 'an',
  onetime: 'once',
});

/** `referring`: the number of square metres that a price is for; `all` is the whole property. */
export const REFERENCES = wordTable<number | 'all'>({ all: 'all', m2: 1, km2: 1_000_000 });

/** A category, and its French word for generated titles. */
export interface Category {
  code: TypeCode;
  title: TitleWord;
}

const WORDS_BY_CATEGORY: readonly (readonly [code: TypeCode, title: TitleWord, ...words: readonly string[]])[] = [
  ['appartement', 'Appartement', 'apartment', 'roof-flat', 'stepped-flat', 'granny-flat', 'flat'],
  ['appartement', 'Attique', 'attic-flat', 'penthouse'],
  ['appartement', 'Appartement meublé', 'furnished-flat'],
  ['appartement', 'Duplex', 'maisonette'],
  ['appartement', 'Studio', 'one-room-flat'],
  ['appartement', 'Chambre', 'single-room'],
  ['loft', 'Loft', 'loft'],
  [
    'maison',
    'Maison',
    'detached-house',
    'stepped-house',
    'earth-sheltered-dwelling',
    'stoeckli',
    'house',
    'single-house',
  ],
  ['maison', 'Maison mitoyenne', 'row-house'],
  ['maison', 'Maison bifamiliale', 'duplex-house'],
  ['maison', 'Villa', 'villa'],
  ['maison', 'Chalet', 'chalet'],
  ['maison', 'Rustico', 'rustico'],
  ['maison', 'Ferme', 'farm-house'],
  ['chateau', 'Château', 'castle'],
  ['immeuble', 'Immeuble', 'multiplex-house', 'residential-commercial-building'],
  [
    'terrain',
    'Terrain',
    'plot',
    'building-lot',
    'agricultural-lot',
    'commercial-lot',
    'industrial-lot',
    'allotment-garden',
  ],
  [
    'parking',
    'Place de parc',
    'parking-space',
    'open-parking-space',
    'covered-parking-space',
    'underground-parking-space',
  ],
  ['parking', 'Place pour moto', 'open-motorbike-parking-space', 'covered-motorbike-parking-space'],
  ['parking', 'Garage', 'single-garage', 'double-garage'],
  ['parking', 'Parking', 'car-park', 'multistorey-car-park'],
  ['bureau', 'Bureau', 'office'],
  ['bureau', 'Cabinet médical', 'doctors-office'],
  ['boutique', 'Boutique', 'retail-location', 'arcade', 'department-store', 'kiosk', 'shopping-center'],
  ['boutique', 'Boulangerie', 'bakery'],
  ['boutique', 'Boucherie', 'butcher'],
  ['boutique', 'Salon de coiffure', 'hairdresser'],
  ['local', 'Local commercial', 'commercial-space'],
  ['local', 'Atelier', 'atelier', 'workshop', 'carpentry-shop', 'car-repair-shop'],
  ['local', 'Local industriel', 'industrial-object', 'factory', 'cheese-factory', 'laboratory', 'market-garden'],
  ['local', 'Dépôt', 'storage-room'],
  ['local', 'Local de loisirs', 'hobby-room', 'party-room'],
  ['local', 'Restaurant', 'restaurant', 'cafe'],
  ['local', 'Bar', 'bar', 'pub', 'club-disco'],
  ['local', 'Hôtel', 'hotel', 'motel'],
  ['local', 'Station-service', 'fuel-station'],
  ['local', 'Établissement de loisirs', 'casino', 'movie-theater', 'sauna', 'solarium'],
  [
    'local',
    'Installation sportive',
    'sports-hall',
    'riding-hall',
    'squash-badminton',
    'indoor-tennis-court',
    'indoor-swimming-pool',
  ],
  ['local', 'Établissement de soins', 'hospital', 'nursing-home', 'retirement-home', 'sanatorium'],
  ['autre', 'Bien', 'library', 'orphanage'],
  ['autre', 'Terrain de sport', 'tennis-court', 'outdoor-swimming-pool', 'golf-course', 'mini-golf-course'],
  ['autre', 'Camping', 'campground'],
  ['autre', 'Cave', 'cellar-compartment'],
  ['autre', 'Galetas', 'attic-compartment'],
  ['autre', 'Place d’amarrage', 'boat-mooring', 'boat-dry-dock', 'boat-landing-stage'],
  ['autre', 'Box pour chevaux', 'horse-box'],
  ['autre', 'Surface publicitaire', 'advertising-area', 'display-window'],
];

/** The 98 categories of the schema, and the words that occur only in its comments. */
export const CATEGORIES = wordTable<Category>(
  Object.fromEntries(
    WORDS_BY_CATEGORY.flatMap(([code, title, ...words]) => words.map((word) => [word, { code, title }])),
  ),
);

/** The use of a property decides its type if there is no category; the other uses are too general. */
export const UTILIZATIONS = wordTable<Category | { code?: never; title?: never }>({
  commercial: { code: 'local', title: 'Local commercial' },
  gastronomy: { code: 'local', title: 'Établissement de restauration' },
  industrial: { code: 'local', title: 'Local industriel' },
  storage: { code: 'local', title: 'Dépôt' },
  parking: { code: 'parking', title: 'Place de parc' },
  construction: { code: 'terrain', title: 'Terrain' },
  agricultural: {},
  investment: {},
  residential: {},
  vacation: {},
});
