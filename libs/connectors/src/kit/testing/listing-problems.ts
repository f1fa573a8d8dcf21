import { type Listing, LISTING_FIELDS, TYPES_CODE, TYPES_TRANSACTION } from '@passerelle/domain';

const NUMBERS = new Set(
  (
    'prix loyer surfaceHabitable nbrePieces nbreChambres latitude longitude surfaceTerrain surfaceCarrez nbreSallesDeBain nbreSallesEau etage nbreEtages ' +
    'anneeConstruction charges depotGarantie honoraires honorairesEtatDesLieux prixHorsHonoraires bouquet rente loyerBase loyerComplement ' +
    'loyerReferenceMajore taxeFonciere coproLots coproCharges dpeValeur gesValeur dpeCoutMin dpeCoutMax dpeEnergieFinale'
  ).split(' '),
);
const FLAGS = new Set(
  'prixSurDemande meuble exclusivite neuf balcon terrasse parking ascenseur piscine loyerEncadrement copropriete coproProcedure'.split(
    ' ',
  ),
);
const DATES = new Set(['dpeDate', 'disponibilite', 'dateCreation', 'dateModification']);
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})?)?$/;
/** Where a zero is a value and not an unknown. */
const MAY_BE_ZERO = new Set(['etage', 'latitude', 'longitude']);
const MARKUP = /<\/?[a-z!?][^>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});/i;

/** Everything about a listing that readers of the API must not meet, one sentence each. */
export function listingProblems(listing: Listing): string[] {
  const problems: string[] = [];
  for (const [field, value] of Object.entries(listing) as [string, unknown][]) {
    if (!(LISTING_FIELDS as readonly string[]).includes(field)) problems.push(`${field} is not in the vocabulary`);
    else if (field !== 'photos') problems.push(...valueProblems(field, value));
  }
  if (listing.affId.trim() === '') problems.push('affId is empty');
  if (listing.typeTransaction !== undefined && !TYPES_TRANSACTION.includes(listing.typeTransaction))
    problems.push(`typeTransaction "${listing.typeTransaction}" is not a word of ours`);
  if (listing.typeCode !== undefined && !TYPES_CODE.includes(listing.typeCode))
    problems.push(`typeCode "${listing.typeCode}" is not a word of ours`);
  if (listing.prixCurrency !== undefined && !/^[A-Z]{3}$/.test(listing.prixCurrency))
    problems.push('prixCurrency is not ISO 4217');
  if (listing.pays !== undefined && !/^[A-Z]{2}$/.test(listing.pays)) problems.push('pays is not ISO 3166-1 alpha-2');
  return [...problems, ...photoProblems(listing)];
}

function valueProblems(field: string, value: unknown): string[] {
  if (NUMBERS.has(field)) {
    if (typeof value !== 'number' || !Number.isFinite(value)) return [`${field} is not a number`];
    return value <= 0 && !MAY_BE_ZERO.has(field) ? [`${field} is ${value}`] : [];
  }
  if (FLAGS.has(field)) return typeof value === 'boolean' ? [] : [`${field} is not true or false`];
  if (typeof value !== 'string') return [`${field} is not a text`];
  if (value.trim() === '') return [`${field} is empty`];

  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value)) return [`${field} holds control characters`];
  if (/^(?:null|undefined|NaN|Invalid Date|\[object Object\])$/.test(value)) return [`${field} is "${value}"`];
  if (!/^https?:/.test(value) && MARKUP.test(value)) return [`${field} holds markup`];
  if (DATES.has(field) && !ISO_DATE.test(value)) return [`${field} is not an ISO 8601 date`];
  return [];
}

function photoProblems({ photos }: Listing): string[] {
  const problems = photos
    .filter((photo) => !/^https?:\/\/[^\s"<>]+$/.test(photo.url))
    .map((photo) => `photo "${photo.url}" has no usable address`);
  if (new Set(photos.map((photo) => photo.url)).size < photos.length) problems.push('a photo is listed twice');
  if (photos.some((photo) => !/^[0-9a-f]{16}$/.test(photo.empreinte))) problems.push('a photo has no fingerprint');
  if (photos.some((photo) => photo.legende?.trim() === '')) problems.push('a photo has an empty caption');
  return problems;
}
