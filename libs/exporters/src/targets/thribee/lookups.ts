import type { TypeCode, TypeTransaction } from '@passerelle/domain';

export const OFFERS: readonly TypeTransaction[] = ['vente', 'investissement', 'location', 'location-saisonniere'];

/** `property_type` is free text; English words are those that all markets know. */
export const TYPES: Readonly<Record<TypeCode, string | undefined>> = {
  appartement: 'Apartment',
  maison: 'House',
  terrain: 'Land',
  parking: 'Parking',
  immeuble: 'Building',
  bureau: 'Office',
  local: 'Commercial',
  boutique: 'Shop',
  chateau: 'Castle',
  'hotel-particulier': 'Mansion',
  loft: 'Loft',
  fonds: 'Business',
  autre: undefined,
};
