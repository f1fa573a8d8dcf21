import type { components } from './api-types.ts';

type Schemas = components['schemas'];

export type Photo = Schemas['Photo'];
/** A listing in the normalized model; a value that is not known is an absent member. */
export type Property = Omit<Schemas['Property'], 'affId' | 'photos'> & { affId: string; photos?: Photo[] };
export type ManifestLine = Schemas['ManifestLine'];
export type ManifestMeta = Schemas['ManifestMeta'];
/** `empreinte` and `property` are there unless it was removed. */
export type Change = Omit<Schemas['Change'], 'property'> & { property?: Property };
export type ChangesMeta = Schemas['ChangesMeta'];
export type Feed = Schemas['Feed'];
export type History = Schemas['History'];
/** What a site did: the gateway and its key are added. */
export type Report = Omit<Schemas['ReportRequest'], 'crm' | 'client' | 'key' | 'api_key'>;
