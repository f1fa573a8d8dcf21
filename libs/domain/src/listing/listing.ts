import { FIELD_DEFINITIONS, type FieldDefinition } from './fields';
import type { KindValues } from './kinds';

type Definitions = typeof FIELD_DEFINITIONS;

export type ListingField = keyof Definitions;

type FieldsWith<Property extends object> = {
  [F in ListingField]: Definitions[F] extends Property ? F : never;
}[ListingField];
type RequiredField = FieldsWith<{ isRequired: true }>;
type ValueOf<D extends FieldDefinition> = D extends { values: readonly (infer Word)[] } ? Word : KindValues[D['kind']];

/** Merges an intersection into one type, so that editors and error messages show its members. */
type Flat<T> = { [K in keyof T]: T[K] };

/** An absent value is an absent key: never null, an empty string, or a zero that means "unknown". */
export type Listing = Flat<
  { -readonly [F in RequiredField]: ValueOf<Definitions[F]> } & {
    -readonly [F in Exclude<ListingField, RequiredField>]?: ValueOf<Definitions[F]>;
  }
>;

export const LISTING_FIELDS = Object.keys(FIELD_DEFINITIONS) as readonly ListingField[];

export type CoreField = FieldsWith<{ isCore: true }>;

export const CORE_FIELDS = LISTING_FIELDS.filter((field): field is CoreField => 'isCore' in FIELD_DEFINITIONS[field]);

/** The fields with which every listing and every record of the raw model begin. */
export const RAW_IDENTITY_FIELDS = ['affId', 'affNum', 'passerelleName'] as const satisfies readonly ListingField[];

/** The definition of a field whose name is only known at run time; undefined for an unknown name. */
export function fieldDefinition(name: string): FieldDefinition | undefined {
  return Object.hasOwn(FIELD_DEFINITIONS, name) ? FIELD_DEFINITIONS[name as ListingField] : undefined;
}
