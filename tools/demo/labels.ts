import type { Listing, RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { Feed } from './read-api';

/** How visitors of an agency's site read our words. */
export const TRANSACTION_WORDS: Readonly<Record<TypeTransaction, string>> = {
  vente: 'Vente',
  location: 'Location',
  'location-saisonniere': 'Location saisonnière',
  viager: 'Viager',
  'fonds-de-commerce': 'Fonds de commerce',
  'cession-de-bail': 'Cession de bail',
  investissement: 'Investissement',
  programme: 'Programme neuf',
  enchere: 'Vente aux enchères',
  autre: 'Autre offre',
};

export const TYPE_WORDS: Readonly<Record<TypeCode, string>> = {
  appartement: 'Appartement',
  maison: 'Maison',
  terrain: 'Terrain',
  parking: 'Stationnement',
  immeuble: 'Immeuble',
  bureau: 'Bureaux',
  local: 'Local d’activités',
  boutique: 'Boutique',
  chateau: 'Château',
  'hotel-particulier': 'Hôtel particulier',
  loft: 'Loft',
  fonds: 'Fonds',
  autre: 'Autre bien',
};

const PERIOD_WORDS: Readonly<Record<RentPeriod, string>> = {
  jour: 'jour',
  semaine: 'semaine',
  quinzaine: 'quinzaine',
  mois: 'mois',
  trimestre: 'trimestre',
  semestre: 'semestre',
  an: 'an',
};

export const FEED_WORDS: Readonly<Record<Feed['state'], string>> = {
  fresh: 'Flux à jour',
  stale: 'Flux non confirmé',
  held: 'Mise à jour retenue',
  failing: 'Flux en panne',
  never: 'Jamais importé',
};

/** An agency's software, and the form of its feed. */
export const SOFTWARE_WORDS: Readonly<Record<string, string>> = {
  apimo: 'Apimo · API JSON',
  kyero: 'Kyero · fichier XML',
  poliris: 'Poliris · archive ZIP (CSV et photos)',
};

const NUMBER = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const DAY = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Europe/Paris' });
const MOMENT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Paris' });

export function inFigures(value: number): string {
  return NUMBER.format(value);
}

/** An amount with its currency, cents only where there are some. */
export function inMoney(value: number, currency = 'EUR'): string {
  const digits = Number.isInteger(value) ? 0 : 2;
  try {
    return new Intl.NumberFormat('fr-FR', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value);
  } catch {
    // No code of a currency.
    return `${inFigures(value)} ${currency}`;
  }
}

/** @param iso a day, or a day with its time */
export function inDays(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : DAY.format(time);
}

/** A moment on the clock of the agencies. */
export function inMoments(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : MOMENT.format(time);
}

/** The price of a listing. */
export function priceOf(listing: Listing): string {
  const { prix, prixCurrency, prixSurDemande } = listing;
  if (prix !== undefined) return inMoney(prix, prixCurrency);
  const rent = rentOf(listing);
  if (rent !== undefined) return rent;
  return prixSurDemande === true ? 'Prix sur demande' : 'Prix non communiqué';
}

/** The rent for its own period: a week's rent converted to a month is not a rent that any tenant pays. */
export function rentOf({ loyer, loyerSource, prixCurrency }: Listing): string | undefined {
  if (loyerSource?.periode !== undefined) {
    return `${inMoney(loyerSource.montant, prixCurrency)} / ${PERIOD_WORDS[loyerSource.periode]}`;
  }
  return loyer === undefined ? undefined : `${inMoney(loyer, prixCurrency)} / mois`;
}

export function placeOf({ codePostal, ville }: Listing): string {
  return [codePostal, ville].filter((word) => word !== undefined).join(' ') || 'Lieu non communiqué';
}

export function titleOf({ intitule, typeCode, affNum, affId }: Listing): string {
  return intitule ?? `${typeCode === undefined ? 'Bien' : TYPE_WORDS[typeCode]} ${affNum ?? affId}`;
}

/** One and many: `1 annonce`, `240 annonces`. */
export function counted(count: number, word: string): string {
  return `${inFigures(count)} ${word}${count > 1 ? 's' : ''}`;
}
