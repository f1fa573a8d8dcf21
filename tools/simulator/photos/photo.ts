import type { TypeCode } from '@passerelle/domain';

/** The scenes of photos with their titles, by the word in agencies' file names. */
export const SCENES = {
  facade: 'Façade',
  immeuble: 'Immeuble',
  vitrine: 'Vitrine',
  garage: 'Garage',
  terrain: 'Terrain',
  salon: 'Salon',
  cuisine: 'Cuisine',
  chambre: 'Chambre',
  bain: 'Salle de bain',
  plateau: 'Plateau',
  jardin: 'Jardin',
  vue: 'Vue',
} as const;
export type Scene = keyof typeof SCENES;

export interface Photo {
  /** The photo's position in its property, from 1. */
  number: number;
  scene: Scene;
  /** Increases when the photo is taken again. */
  edition: number;
}

/** Per kind of property, the first photo's scene, then the other photos' scenes. */
const TOURS: Readonly<Partial<Record<TypeCode, readonly [first: Scene, ...others: Scene[]]>>> = {
  maison: ['facade', 'salon', 'cuisine', 'chambre', 'bain', 'jardin'],
  chateau: ['facade', 'salon', 'chambre', 'jardin'],
  'hotel-particulier': ['facade', 'salon', 'chambre', 'cuisine', 'bain'],
  appartement: ['salon', 'cuisine', 'chambre', 'bain', 'vue', 'immeuble'],
  loft: ['salon', 'cuisine', 'vue', 'immeuble'],
  terrain: ['terrain', 'jardin'],
  parking: ['garage'],
  immeuble: ['immeuble', 'salon', 'cuisine'],
  boutique: ['vitrine', 'plateau'],
  local: ['vitrine', 'plateau'],
  bureau: ['plateau', 'immeuble'],
};

export function inventPhotos(kind: TypeCode, count: number): Photo[] {
  const [first, ...others] = TOURS[kind] ?? ['facade', 'salon'];
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    scene: index === 0 ? first : (others[(index - 1) % others.length] ?? first),
    edition: 1,
  }));
}

/** The photo's file name in agencies' software. It stays the same when the photo is taken again. */
export function photoFile(id: number, { number, scene }: Photo): string {
  return `${String(id)}-${String(number)}-${scene}.jpg`;
}

/** The photo's address in a CRM. A retaken photo gets a new address, because the formats report new photos this way. */
export function photoUrl(host: string, crm: string, id: number, photo: Photo): string {
  const edition = photo.edition === 1 ? '' : `?v=${String(photo.edition)}`;
  return `http://${host}/${crm}/photos/${photoFile(id, photo)}${edition}`;
}
