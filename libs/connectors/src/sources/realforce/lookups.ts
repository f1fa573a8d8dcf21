import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import { hidden, LET, type Showing, SOLD, UNDER_OFFER } from '../../kit/status';
import { wordTable } from '../../kit/word-table';

const pairs = <T>(meaning: T, ...words: readonly string[]): Record<string, T> =>
  Object.fromEntries(words.map((word) => [word, meaning]));

/**
 * Labels of `main_category_id`, and the labels of `sub_category_id` that name another type than their main category.
 */
export const CATEGORIES = wordTable<TypeCode>({
  ...pairs<TypeCode>('appartement', 'Appartement', 'Logement de vacances', 'Studio', 'Duplex', 'Attique'),
  ...pairs<TypeCode>('maison', 'Maison', 'Chalet', 'Villa', 'Clés-en-main', 'Mobile home', 'Ferme'),
  ...pairs<TypeCode>('terrain', 'Terrain', 'Ile'),
  ...pairs<TypeCode>('parking', 'Parking', 'Garage'),
  ...pairs<TypeCode>('immeuble', 'Immeuble'),
  ...pairs<TypeCode>('bureau', 'Bureau'),
  ...pairs<TypeCode>('local', 'Local commercial', 'Atelier', 'Dépot', 'Halle industrielle', 'Surfaces industrielles'),
  ...pairs<TypeCode>('local', 'Hôtellerie'),
  ...pairs<TypeCode>('boutique', 'Arcade'),
  ...pairs<TypeCode>('fonds', 'Entreprise', 'Fonds de commerce'),
  ...pairs<TypeCode>('hotel-particulier', 'Hôtel particulier'),
  ...pairs<TypeCode>('chateau', 'Château'),
  ...pairs<TypeCode>('loft', 'Loft'),
  ...pairs<TypeCode>('autre', 'Annexe', 'Bateau', 'Camping', 'Enseigne'),
});

/** `transaction_type_id`: both numbers are in the documentation. */
export const TRANSACTIONS = wordTable<TypeTransaction>({ '1': 'location', '2': 'vente' });

/** Labels of `frequency_id`. */
export const PERIODS = wordTable<RentPeriod>({
  ...pairs<RentPeriod>('jour', 'Par jour', 'Jour', 'Journalier'),
  ...pairs<RentPeriod>('semaine', 'Par semaine', 'Semaine', 'Hebdomadaire'),
  ...pairs<RentPeriod>('mois', 'Par mois', 'Mois', 'Mensuel', 'Mensuelle'),
  ...pairs<RentPeriod>('trimestre', 'Par trimestre', 'Trimestre', 'Trimestriel'),
  ...pairs<RentPeriod>('an', 'Par an', 'Par année', 'An', 'Année', 'Annuel', 'Annuelle'),
});

/** Labels of `status_id`. */
export const STATUSES = wordTable<Showing>({
  ...pairs<Showing>({}, 'Actif', 'Nouveau', 'Chantier ouvert'),
  ...pairs<Showing>(UNDER_OFFER, 'Option', 'Réservé', 'Réservé propriétaire', 'Réservé, acompte versé'),
  ...pairs(SOLD, 'Vendu', 'Vendu concur.', 'Vendu p. propriétaire'),
  ...pairs(LET, 'Loué', 'Loué concur.'),
  ...pairs(hidden('suspended'), 'Suspendu', 'Contrat expiré', 'Contrat résilié'),
  ...pairs(hidden('not on offer yet'), 'Prospect', "En cours d'insertion"),
  ...pairs(hidden('off market'), 'Off Market'),
});

/** Labels of `furnish_id`. Partly furnished means neither yes nor no. */
export const FURNISHINGS = wordTable<boolean | 'partly'>({
  ...pairs<boolean | 'partly'>(true, 'Meublé', 'Entièrement meublé', 'Oui'),
  ...pairs<boolean | 'partly'>(false, 'Non meublé', 'Vide', 'Non'),
  ...pairs<boolean | 'partly'>('partly', 'Partiellement meublé', 'Semi-meublé'),
});

/**
 * The listing fields for amenities. Most amenities describe the surroundings instead of the property, and have no such
 * field.
 */
export type Amenity =
  | 'ascenseur'
  | 'piscine'
  | 'climatisation'
  | 'cheminee'
  | 'cave'
  | 'jardin'
  | 'balcon'
  | 'terrasse'
  | 'parking'
  | 'cuisineEquipee'
  | 'accessible'
  | 'animaux';

export const AMENITIES = wordTable<Amenity>({
  ...pairs<Amenity>('ascenseur', 'Ascenseur'),
  ...pairs<Amenity>('piscine', 'Piscine'),
  ...pairs<Amenity>('climatisation', 'Climatisation', 'Climatisation centralisée'),
  ...pairs<Amenity>('cheminee', 'Cheminée'),
  ...pairs<Amenity>('cave', 'Cave', 'Cave à vin'),
  ...pairs<Amenity>('jardin', 'Jardin'),
  ...pairs<Amenity>('balcon', 'Balcon'),
  ...pairs<Amenity>('terrasse', 'Terrasse', 'Terrasse couverte'),
  ...pairs<Amenity>('parking', 'Garage', 'Parking', 'Place de parc intérieure', 'Place de parc extérieure'),
  ...pairs<Amenity>('cuisineEquipee', 'Cuisine équipée'),
  ...pairs<Amenity>('accessible', 'Accès handicapés'),
  ...pairs<Amenity>('animaux', 'Animaux bienvenus'),
});
