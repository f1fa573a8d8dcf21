import type { components } from './api-types.ts';

type Schemas = components['schemas'];

/** The declared members alone: where any other name is allowed too, `Omit` would lose them all. */
type Declared<Schema> = { [Name in keyof Schema as string extends Name ? never : Name]: Schema[Name] };

/** Figures are texts in the CRM's own form only. */
type WithFigures<Schema> = {
  [Name in keyof Schema]: [string, number] extends [Schema[Name], Schema[Name]]
    ? Exclude<Schema[Name], string>
    : Schema[Name];
};

export type Photo = Schemas['Photo'];
/** A listing in the normalized model; a value that is not known is an absent member. */
export type Property = Omit<WithFigures<Declared<Schemas['Property']>>, 'affId' | 'photos'> & {
  affId: string;
  photos?: Photo[];
};
export type ManifestLine = Schemas['ManifestLine'];
export type ManifestMeta = Schemas['ManifestMeta'];
/** `empreinte` and `property` are there unless it was removed. */
export type Change = Omit<Declared<Schemas['Change']>, 'property'> & { property?: Property };
export type ChangesMeta = Schemas['ChangesMeta'];
export type Feed = Schemas['Feed'];
export type History = Schemas['History'];
/** The result of an import on the site; the gateway and its key are added. */
export type Report = Omit<Declared<Schemas['ReportRequest']>, 'crm' | 'client' | 'key' | 'api_key'>;
