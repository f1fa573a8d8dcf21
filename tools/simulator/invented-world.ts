import type { TypeCode } from '@passerelle/domain';
import type { Negotiator, SimulatedCrm, Town } from './property';

/** The invented world: towns, people and sentences. None of them exists. */

const town = (name: string, postcode: string, region: string, latitude: number, longitude: number): Town => ({
  name,
  postcode,
  region,
  latitude,
  longitude,
});

const BRESSE_AND_AUVERGNE = [
  town('Saint-Aubin-les-Étangs', '01340', 'Ain', 46.312, 5.118),
  town('Montrevaux', '01990', 'Ain', 46.021, 5.004),
  town('Villedemo', '63110', 'Puy-de-Dôme', 45.741, 3.181),
  town('La Chapelle-aux-Œillets', '63490', 'Puy-de-Dôme', 45.633, 3.402),
  town("L'Étoile-sur-Dore", '63920', 'Puy-de-Dôme', 45.861, 3.497),
  town('Champ-le-Vieux', '03140', 'Allier', 46.203, 3.011),
  town('Sainte-Marthe-du-Lac', '43210', 'Haute-Loire', 45.281, 4.102),
  town('Bourg-Neuf-en-Forez', '42810', 'Loire', 45.702, 4.031),
  town('Pré-d’Avril', '69830', 'Rhône', 45.901, 4.603),
];

const RIVIERA = [
  town('Villedemo-sur-Mer', '06310', 'Alpes-Maritimes', 43.708, 7.331),
  town('Demo-les-Pins', '06160', 'Alpes-Maritimes', 43.569, 7.118),
  town('Saint-Exemple', '06570', 'Alpes-Maritimes', 43.691, 7.112),
  town('Castel-Azur', '06320', 'Alpes-Maritimes', 43.744, 7.402),
  town('La Calanque-Rouge', '83700', 'Var', 43.421, 6.803),
  town('Port-Garance', '83240', 'Var', 43.182, 6.538),
  town('Roquefigue', '83440', 'Var', 43.589, 6.702),
  town('Les Oliviers-en-Provence', '04180', 'Alpes-de-Haute-Provence', 43.812, 5.912),
];

const COSTAS = [
  town('Villanueva del Almendro', '29751', 'Málaga', 36.781, -4.051),
  town('Playa Ejemplo', '29740', 'Málaga', 36.739, -4.121),
  town('Puerto Ficticio', '03710', 'Alicante', 38.641, 0.041),
  town('Benidemo', '03502', 'Alicante', 38.539, -0.128),
  town('San Miguel de la Muestra', '30740', 'Murcia', 37.821, -0.791),
  town('Cala Inventada', '07669', 'Illes Balears', 39.371, 3.231),
  town('Torre de los Pinos', '04638', 'Almería', 37.131, -1.851),
  town('El Limonar Alto', '18690', 'Granada', 36.751, -3.691),
];

export const TOWNS: Readonly<Record<SimulatedCrm, readonly Town[]>> = {
  apimo: RIVIERA,
  kyero: COSTAS,
  poliris: BRESSE_AND_AUVERGNE,
};

export const AGENCIES = {
  apimo: { id: 9001, name: 'Agence Démo Riviera', email: 'contact@riviera.example.org', phone: '+33199000010' },
  kyero: { id: 4711, name: 'Demo Costa Homes', email: 'info@costa.example.org', phone: '+34910000000' },
  poliris: { id: 'DEMO0001', name: 'Agence Démo Auvergne', email: 'contact@auvergne.example.org', phone: '0199000020' },
} as const;

const person = (name: string, mailbox: string, line: number): Negotiator => ({
  name,
  email: `${mailbox}@example.org`,
  phone: `01990001${String(line).padStart(2, '0')}`,
});

export const NEGOTIATORS: readonly Negotiator[] = [
  person('Camille Fictif', 'camille.fictif', 1),
  person('Noé Démonet', 'noe.demonet', 2),
  person('Inès Exemplaire', 'ines.exemplaire', 3),
  person('Loïc Inventé', 'loic.invente', 4),
];

export const KIND_NAMES: Readonly<Record<TypeCode, readonly string[]>> = {
  appartement: ['Appartement'],
  maison: ['Maison', 'Maison de village', 'Villa'],
  terrain: ['Terrain à bâtir', 'Terrain de loisirs', 'Terrain'],
  parking: ['Place de stationnement', 'Garage fermé', 'Box'],
  immeuble: ['Immeuble de rapport'],
  bureau: ['Bureaux', 'Plateau de bureaux'],
  local: ["Local d'activités", 'Entrepôt'],
  boutique: ['Boutique', 'Local commercial'],
  chateau: ['Château'],
  'hotel-particulier': ['Hôtel particulier'],
  loft: ['Loft', 'Atelier'],
  fonds: ['Fonds de commerce'],
  autre: ['Bien atypique'],
};

export const ATTRACTIONS = [
  'vue dégagée',
  'au calme',
  'proche gare',
  'centre-ville',
  'plein sud',
  'sans vis-à-vis',
  'avec cachet',
  'à rénover',
  'au cœur du village',
] as const;

export const DISTRICTS = ['Centre', 'Gare', 'Les Coteaux', 'Vieux Bourg', 'Le Port', 'Les Prés'] as const;

export const SENTENCES = [
  'Séjour lumineux ouvert sur une cuisine équipée.',
  'Travaux récents : toiture, isolation et menuiseries.',
  'À dix minutes à pied des écoles et des commerces.',
  'Chauffage individuel, double vitrage, fibre optique.',
  'Exposition sud-ouest, aucun vis-à-vis.',
  "L'ensemble a été refait à neuf avec des matériaux de qualité.",
  'Belle hauteur sous plafond (2,80 m) et parquet d’origine.',
  'Rangements dans chaque pièce, cave et local à vélos.',
  'Charges maîtrisées : 120 € par mois, eau comprise.',
  'Accès rapide à l’autoroute & à la gare.',
  'Surface loi Carrez < 100 m² selon le dernier relevé.',
  'Idéal premier achat ou investissement « clé en main ».',
] as const;

export const FICTITIOUS = 'Annonce fictive de démonstration.';
