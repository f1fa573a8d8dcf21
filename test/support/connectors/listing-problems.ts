import { fieldDefinition, type FieldDefinition, type Listing } from '@passerelle/domain';
import { KIND_CHECKS } from './kind-problems';

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const MARKUP = /<\/?[a-z!?][^>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});/i;

/** All faults that a listing in the API must not have, one sentence each. */
export function listingProblems(listing: Listing): string[] {
  const problems: string[] = [];
  for (const [field, value] of Object.entries(listing) as [string, unknown][]) {
    const definition = fieldDefinition(field);
    if (definition === undefined) problems.push(`${field} is not in the vocabulary`);
    else problems.push(...valueProblems(field, value, definition));
  }
  if (listing.affId.trim() === '') problems.push('affId is empty');
  if (listing.prixCurrency !== undefined && !/^[A-Z]{3}$/.test(listing.prixCurrency))
    problems.push('prixCurrency is not ISO 4217');
  if (listing.pays !== undefined && !/^[A-Z]{2}$/.test(listing.pays)) problems.push('pays is not ISO 3166-1 alpha-2');
  return [...problems, ...photoProblems(listing)];
}

function valueProblems(field: string, value: unknown, definition: FieldDefinition): string[] {
  switch (definition.kind) {
    case 'language':
    case 'words':
    case 'range':
    case 'periodic':
    case 'links':
    case 'energy':
    case 'mentions':
    case 'facts':
      return KIND_CHECKS[definition.kind](value, field, (name, text) => textProblems(name, text, { kind: 'text' }));
    case 'photos':
      return [];
    case 'texts':
      return textsProblems(field, value);
    case 'flag':
      return typeof value === 'boolean' ? [] : [`${field} is not true or false`];
    case 'number':
    case 'amount':
    case 'integer':
      if (typeof value !== 'number' || !Number.isFinite(value)) return [`${field} is not a number`];
      if (definition.kind === 'integer' && !Number.isInteger(value)) return [`${field} is not a whole number`];
      return value <= 0 && definition.mayBeZero !== true ? [`${field} is ${value}`] : [];
    default:
      return textProblems(field, value, definition);
  }
}

type Definition = Pick<FieldDefinition, 'kind'> & { values?: readonly string[] };

function textProblems(field: string, value: unknown, definition: Definition): string[] {
  if (typeof value !== 'string') return [`${field} is not a text`];
  if (value.trim() === '') return [`${field} is empty`];

  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(value)) return [`${field} holds control characters`];
  if (/^(?:null|undefined|NaN|Invalid Date|\[object Object\])$/.test(value)) return [`${field} is "${value}"`];
  if (!/^https?:/.test(value) && MARKUP.test(value)) return [`${field} holds markup`];
  if (definition.kind === 'word' && definition.values?.includes(value) !== true)
    return [`${field} "${value}" is not a word of ours`];
  if ((definition.kind === 'day' || definition.kind === 'date') && !ISO_DATE.test(value))
    return [`${field} is not an ISO 8601 date`];
  return [];
}

function textsProblems(field: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [`${field} is empty`];
  return Object.entries(value).flatMap(([language, texts]: [string, unknown]) => [
    ...(/^[a-z]{2}$/.test(language) ? [] : [`${field} has "${language}", which is not ISO 639-1`]),
    ...(Object.keys(texts as object).length === 0 ? [`${field}.${language} is empty`] : []),
    ...Object.entries(texts as object).flatMap(([name, text]: [string, unknown]) =>
      name === 'intitule' || name === 'commentaires'
        ? textProblems(`${field}.${language}.${name}`, text, { kind: 'text' })
        : [`${field}.${language}.${name} is not in the vocabulary`],
    ),
  ]);
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
