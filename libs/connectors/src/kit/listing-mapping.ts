import { LISTING_FIELDS, type ListingField, mentionsOf } from '@passerelle/domain';

import { localizeTitles } from './built-title';
import { type Mapped, type MappedListing, type RecordContext, RecordError } from './contracts';
import { isWithin } from './country-borders';
import { recordStyles } from './record-style';
import { TITLES_OF_NOTHING } from './title-words';
import { isAbsent, type MappedField, type Verb } from './verbs';

/** One answer for every field: the compiler reports mappings that lack a new field of the vocabulary. */
export type ListingMapping<R> = { readonly [F in MappedField]-?: Verb<R, NonNullable<MappedListing[F]>> };

export interface ListingRules<R> {
  /** In feeds of several agencies: the agency of the record. */
  scope?(record: R, context: RecordContext): string | undefined;
  /** Decides between two records with the same id: the greater text wins. */
  revision?(record: R, context: RecordContext): string | undefined;
  /** Why the record must not be shown, in words; undefined when it may be shown. */
  withdrawn?(record: R, context: RecordContext): string | undefined;
  /** The paths of amounts and areas that show how a record writes numbers, for formats with `numbers`. */
  numbers?: readonly string[];
}

/**
 * Identifiers with these characters are rejected, because removing them could make two identifiers equal. U+FFFD marks
 * lost letters.
 */
const UNKEEPABLE = /[\u0000-\u001f\u007f-\u009f\ufffd-\uffff]|\p{Surrogate}/u;

/** Makes the `map` of a connector. Absent values are absent keys; keys come in the order of the vocabulary. */
export function toListing<R>(
  mapping: ListingMapping<R>,
  rules: ListingRules<R> = {},
): (record: R, context: RecordContext) => Mapped {
  const answers = LISTING_FIELDS.flatMap((field): Answer<R>[] => {
    if (field === 'mentions') return [];
    if (field === 'passerelleName') return [[field, (_record, context) => context.crm]];
    return field === 'affId' || isAbsent(mapping[field]) ? [] : [[field, mapping[field].read.bind(mapping[field])]];
  });
  const { titleParts } = mapping.intitule;
  const styleOfRecord = rules.numbers === undefined ? undefined : recordStyles(rules.numbers);
  return (record, context) => {
    const affId = mapping.affId.read(record, context);
    if (affId === undefined) {
      throw new RecordError('missing_id', 'the record has no identifier', mapping.affId.paths.join(', ') || undefined);
    }
    if (UNKEEPABLE.test(affId)) {
      throw new RecordError(
        'malformed',
        'the identifier has characters that cannot be kept',
        mapping.affId.paths.join(', ') || undefined,
      );
    }
    try {
      const scope = rules.scope?.(record, context);
      const message = rules.withdrawn?.(record, context);
      if (message !== undefined)
        return { kind: 'withdrawn', affId, ...(scope === undefined ? {} : { scope }), message };
      const revision = rules.revision?.(record, context);
      const styled = styleOfRecord?.(record, context) ?? context;
      const listing = fill(affId, answers, record, styled);
      if (titleParts !== undefined)
        localizeTitles(listing, context.settings, () => titleParts(record, { ...styled, warn: () => undefined }));
      return {
        kind: 'listing',
        listing,
        ...(scope === undefined ? {} : { scope }),
        ...(revision === undefined ? {} : { revision }),
      };
    } catch (error) {
      throw aboutRecord(error, affId);
    }
  };
}

/** The message of an unexpected error may quote the record, so only its kind is reported. */
function aboutRecord(error: unknown, affId: string): RecordError {
  if (error instanceof RecordError) return new RecordError(error.code, error.message, error.field, affId);
  const kind = error instanceof Error ? error.name : 'error';
  return new RecordError('malformed', `the record could not be read (${kind})`, undefined, affId);
}

/** Fields that settings and default values cannot fill. */
const SUBSTANCE = [
  ...(['commentaires', 'typeTransactionSource', 'typeCodeSource', 'prix', 'loyer', 'ville', 'codePostal'] as const),
  ...(['surfaceHabitable', 'surfaceTerrain', 'nbrePieces', 'nbreChambres', 'latitude'] as const),
];

/** A value that names the format in each record, such as `IDX3.01`. */
const NAMES_FORMAT = /^[a-z]+[ _-]?\d+\.\d+$/i;

/** Whether a record has only an identifier (`<annonce id="3"/>`) and values from settings and defaults. */
export function isShell(listing: MappedListing, raw: Readonly<Record<string, unknown>>): boolean {
  const isTitled = listing.intitule !== undefined && !TITLES_OF_NOTHING.has(listing.intitule);
  if (isTitled || listing.photos.length > 0) return false;
  return SUBSTANCE.every((field) => listing[field] === undefined) && !saysMoreThan(listing.affId, raw);
}

/** Whether a record has any value, at any depth, that is not part of its identifier. */
function saysMoreThan(affId: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  if (typeof value === 'object') return Object.values(value).some((member) => saysMoreThan(affId, member));
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim();
  return !affId.includes(text) && !NAMES_FORMAT.test(text);
}

/** Below these, an amount in a mandatory field is no price: 0.01, 1 or 9. */
const LOWEST_PRICE = 10;
const LOWEST_RENT = 5;
/** Land may have a rent of a few euros. */
const LOWEST_LAND_RENT = 1;
const TOO_LONG = 10_000_000;
/** 99999999, 11111111 or 12345678: a filled field, not a price. */
const FILLED = /^(?:(9|1)\1{7,}|123456789?0?)$/;

/** Agencies fill a mandatory amount with a placeholder. Whether the price is on request is then unknown. */
function omitPlaceholders(listing: MappedListing, context: RecordContext): void {
  const { prix, loyer, loyerSource, typeCode } = listing;
  if (prix !== undefined && (prix < LOWEST_PRICE || isFilled(prix))) {
    context.warn('implausible_value', 'prix', `${prix}: a placeholder`);
    delete listing.prix;
  }
  if (loyer === undefined) return;
  const written = loyerSource?.montant ?? loyer;
  const isLow = typeCode === 'terrain' ? written <= LOWEST_LAND_RENT : loyer < LOWEST_RENT;
  if (!isLow && !isFilled(written)) return;
  context.warn('implausible_value', 'loyer', `${written}: a placeholder, or a part of the rent`);
  delete listing.loyer;
  delete listing.loyerPeriode;
  delete listing.loyerSource;
}

function isFilled(amount: number): boolean {
  return amount >= TOO_LONG && FILLED.test(String(amount));
}

/** Exporters swap the coordinates, lose a sign, or write the position of another country. */
function omitForeignPosition(listing: MappedListing, context: RecordContext): void {
  const { latitude, longitude, pays } = listing;
  if (latitude === undefined || longitude === undefined || isWithin(pays, latitude, longitude)) return;
  context.warn('implausible_value', 'latitude', `${latitude}, ${longitude}: outside ${pays ?? ''}`);
  delete listing.latitude;
  delete listing.longitude;
}

type Answer<R> = readonly [ListingField, (record: R, context: RecordContext) => unknown];

function fill<R>(affId: string, answers: readonly Answer<R>[], record: R, context: RecordContext): MappedListing {
  const listing: Record<string, unknown> = { affId };
  for (const [field, read] of answers) {
    const value = read(record, context);
    if (value !== undefined) listing[field] = value;
  }
  listing['photos'] ??= [];
  // `ListingMapping` guarantees that each value has the type of its field.
  const mapped = listing as unknown as MappedListing;
  // A price does not prove that an unknown offer is a sale.
  if (mapped.prix !== undefined && mapped.typeTransaction === undefined)
    context.warn('implausible_value', 'prix', `${mapped.prix}: a price without a transaction`);
  omitPlaceholders(mapped, context);
  omitForeignPosition(mapped, context);
  const mentions = mentionsOf(mapped);
  if (mentions.length > 0) mapped.mentions = mentions;
  return mapped;
}
