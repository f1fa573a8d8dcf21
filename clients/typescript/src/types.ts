import type { components } from './api-types.ts';

type Schemas = components['schemas'];

/** Only the declared members. In a type that also allows any other name, `Omit` would lose them. */
type Declared<Schema> = { [Name in keyof Schema as string extends Name ? never : Name]: Schema[Name] };

/** Removes `string` from text-or-number members, because only the CRM's own form has numbers as text. */
type WithFigures<Schema> = {
  [Name in keyof Schema]: [string, number] extends [Schema[Name], Schema[Name]]
    ? Exclude<Schema[Name], string>
    : Schema[Name];
};

export type Photo = Schemas['Photo'];
/** A listing in the normalized model; an unknown value is an absent member. */
export type Property = Omit<WithFigures<Declared<Schemas['Property']>>, 'affId' | 'photos'> & {
  affId: string;
  photos?: Photo[];
};
export type ManifestLine = Schemas['ManifestLine'];
export type ManifestMeta = Schemas['ManifestMeta'];
/** A change has `empreinte` and `property` unless the listing was removed. */
export type Change = Omit<Declared<Schemas['Change']>, 'property'> & { property?: Property };
export type ChangesMeta = Schemas['ChangesMeta'];
export type Feed = Schemas['Feed'];
export type History = Schemas['History'];
/** The result of an import on the site; the client adds the gateway and its key. */
export type Report = Omit<Declared<Schemas['ReportRequest']>, 'crm' | 'client' | 'key' | 'api_key'>;
