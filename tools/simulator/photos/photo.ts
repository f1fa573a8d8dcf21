import type { TypeCode } from '@passerelle/domain';

/** The scene of a photo, by the word in agencies' file names, with its title. */
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
  /** 1 is the first of its property. */
  number: number;
  scene: Scene;
  /** Grows when the photo is taken again. */
  edition: number;
}

/** The first photo of each kind of building, and what the others show. */
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

/** This many photos, in the order of a visit. */
export function inventPhotos(kind: TypeCode, count: number): Photo[] {
  const [first, ...others] = TOURS[kind] ?? ['facade', 'salon'];
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    scene: index === 0 ? first : (others[(index - 1) % others.length] ?? first),
    edition: 1,
  }));
}

/** The name of the photo's file in agencies' software: the same when the photo is taken again. */
export function photoFile(id: number, { number, scene }: Photo): string {
  return `${String(id)}-${String(number)}-${scene}.jpg`;
}

/** The address of the photo in a CRM. It changes when the photo is taken again: this is how the formats report it. */
export function photoUrl(host: string, crm: string, id: number, photo: Photo): string {
  const edition = photo.edition === 1 ? '' : `?v=${String(photo.edition)}`;
  return `http://${host}/${crm}/photos/${photoFile(id, photo)}${edition}`;
}
