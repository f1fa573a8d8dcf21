import type { Listing, TypeCode, TypeTransaction } from '@passerelle/domain';
import type { Feed } from './read-api';

/** Words of the vocabulary that visitors of an agency's site expect in another form. */
const WORDS: Readonly<Record<string, string>> = {
  'location-saisonniere': 'Location saisonnière',
  programme: 'Programme neuf',
  enchere: 'Vente aux enchères',
  parking: 'Stationnement',
  chateau: 'Château',
  'hotel-particulier': 'Hôtel particulier',
};

export function wordOf(code: TypeCode | TypeTransaction): string {
  return WORDS[code] ?? `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('-', ' ')}`;
}

export const FEED_WORDS: Readonly<Record<Feed['state'], string>> = {
  fresh: 'Flux à jour',
  stale: 'Flux non confirmé',
  held: 'Mise à jour retenue',
  failing: 'Flux en panne',
  never: 'Jamais importé',
};

const NUMBER = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const MOMENT = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Paris' });

export function inFigures(value: number): string {
  return NUMBER.format(value);
}

/** An amount with its currency; cents only if there are any. */
export function inMoney(value: number, currency = 'EUR'): string {
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  // A feed may contain a currency that does not exist.
  return /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat('fr-FR', style).format(value)
    : `${inFigures(value)} ${currency}`;
}

export function inMoments(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : MOMENT.format(time);
}

/** The price of a listing. */
export function priceOf(listing: Listing): string {
  const { prix, prixCurrency, prixSurDemande } = listing;
  if (prix !== undefined) return inMoney(prix, prixCurrency);
  return rentOf(listing) ?? (prixSurDemande === true ? 'Prix sur demande' : 'Prix non communiqué');
}

/** The rent for its own period, because no tenant pays a weekly rent by the month. */
function rentOf({ loyer, loyerSource, prixCurrency }: Listing): string | undefined {
  if (loyerSource?.periode !== undefined) {
    return `${inMoney(loyerSource.montant, prixCurrency)} / ${loyerSource.periode}`;
  }
  return loyer === undefined ? undefined : `${inMoney(loyer, prixCurrency)} / mois`;
}

export function placeOf({ codePostal, ville }: Listing): string {
  return [codePostal, ville].filter((word) => word !== undefined).join(' ') || 'Lieu non communiqué';
}

export function titleOf({ intitule, typeCode, affNum, affId }: Listing): string {
  return intitule ?? `${typeCode === undefined ? 'Bien' : wordOf(typeCode)} ${affNum ?? affId}`;
}

export function counted(count: number, word: string): string {
  return `${inFigures(count)} ${word}${count > 1 ? 's' : ''}`;
}

export function sizesOf({ surfaceHabitable, surfaceTerrain, nbrePieces, nbreChambres }: Listing): string[] {
  return [
    surfaceHabitable === undefined ? null : `${inFigures(surfaceHabitable)} m²`,
    nbrePieces === undefined ? null : `${inFigures(nbrePieces)} p.`,
    nbreChambres === undefined ? null : `${inFigures(nbreChambres)} ch.`,
    surfaceTerrain === undefined ? null : `terrain ${inFigures(surfaceTerrain)} m²`,
  ].filter((size) => size !== null);
}
