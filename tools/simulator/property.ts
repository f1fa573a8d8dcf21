import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import type { Photo } from './photos/photo';

export const SIMULATED_CRMS = ['apimo', 'kyero', 'poliris'] as const;
export type SimulatedCrm = (typeof SIMULATED_CRMS)[number];

export interface Town {
  name: string;
  postcode: string;
  /** Département or province. */
  region: string;
  latitude: number;
  longitude: number;
}

export interface Negotiator {
  name: string;
  email: string;
  phone: string;
}

/** A property of an invented agency, which the simulated CRM writes in its own format. Null means unknown. */
export interface Property {
  /** The CRM's own number, which never changes. */
  id: number;
  reference: string;
  offer: TypeTransaction;
  kind: TypeCode;
  /** Selects one of the CRM's words for this kind. */
  variant: number;
  /** The sale price, or the rent per `rentPeriod`, in euros; null means on request. */
  price: number | null;
  rentPeriod: 'mois' | 'semaine' | null;
  title: string;
  /** Lines of plain text. */
  text: string[];
  town: Town;
  district: string | null;
  surfaceM2: number | null;
  plotM2: number | null;
  rooms: number | null;
  bedrooms: number | null;
  bathrooms: number | null;
  floor: number | null;
  floors: number | null;
  builtIn: number | null;
  isNew: boolean;
  furnished: boolean | null;
  elevator: boolean;
  terrace: boolean;
  balcony: boolean;
  pool: boolean;
  parking: boolean;
  exclusive: boolean;
  mandate: string;
  /** Per month for a rental, per year for an apartment in co-ownership. */
  charges: number | null;
  deposit: number | null;
  fees: number | null;
  coOwnershipLots: number | null;
  energy: { classe: string; valeur: number; gesClasse: string; gesValeur: number; date: string } | null;
  /** Only for a viager. */
  bouquet: number | null;
  rente: number | null;
  photos: readonly Photo[];
  negotiator: Negotiator;
  /** `YYYY-MM-DD HH:MM:SS`. */
  createdAt: string;
  modifiedAt: string;
}

export function isRent(property: Pick<Property, 'offer'>): boolean {
  return property.offer === 'location' || property.offer === 'location-saisonniere';
}

export type PhotoUrls = (property: Property) => string[];
