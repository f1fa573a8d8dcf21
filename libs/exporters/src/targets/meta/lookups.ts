import type { TypeCode, TypeTransaction } from '@passerelle/domain';

export const OFFERS: readonly TypeTransaction[] = ['vente', 'investissement', 'location', 'location-saisonniere'];

/** `property_type`. */
export const TYPES: Readonly<Record<TypeCode, string>> = {
  appartement: 'apartment',
  maison: 'house',
  terrain: 'land',
  parking: 'other',
  immeuble: 'other',
  bureau: 'other',
  local: 'other',
  boutique: 'other',
  chateau: 'house',
  'hotel-particulier': 'house',
  loft: 'loft',
  fonds: 'other',
  autre: 'other',
};
