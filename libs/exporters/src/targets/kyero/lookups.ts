import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';

/** The type is free text. English words are the ones that all importers know. */
export const TYPES: Readonly<Record<TypeCode, string>> = {
  appartement: 'Apartment',
  maison: 'House',
  terrain: 'Land',
  parking: 'Garage',
  immeuble: 'Building',
  bureau: 'Office',
  local: 'Commercial property',
  boutique: 'Shop',
  chateau: 'Castle',
  'hotel-particulier': 'Mansion',
  loft: 'Loft',
  fonds: 'Business',
  autre: 'Other',
};

export const RENTALS: readonly (TypeTransaction | undefined)[] = ['location', 'location-saisonniere'];

/** Periods of a rent in the vocabulary of the format; other periods are converted to a month. */
export const FREQUENCIES: Readonly<Partial<Record<RentPeriod, string>>> = { semaine: 'week', mois: 'month' };

/** Names of features, and the field of a listing that says each. */
export const FEATURES = {
  Lift: 'ascenseur',
  Balcony: 'balcon',
  Terrace: 'terrasse',
  Parking: 'parking',
  Furnished: 'meuble',
} as const;
