import type { Listing, ListingField } from '@passerelle/domain';

/** The person or office that answers enquiries about the adverts of a placement. */
export interface ExportContact {
  name?: string;
  email?: string;
  phone?: string;
}

/** The facts of a placement (one gateway at one portal) that a target knows. */
export interface PlacementConfig {
  id: number;
  crm: string;
  client: string;
  /** ISO 639-1: the language of the adverts, where the format has one language. */
  language: string;
  contact: ExportContact;
  settings: Readonly<Record<string, string>>;
  /** Empty in a preview without credentials. */
  credentials: Readonly<Record<string, string>>;
}

export interface ExportContext {
  placement: PlacementConfig;
  /** The publication time of the snapshot, in ms since 1970: the same snapshot always gives the same bytes. */
  publishedAtMs: number;
}

/** A listing on its way to a portal. */
export interface ExportItem {
  listing: Listing;
  /** The advert's id at the portal, by the id scheme of the placement. It never changes. */
  advertId: string;
  /** First publication of the present version of the listing, in ms since 1970. */
  changedAtMs: number;
}

/** Something that a target requires and a listing does not have. */
export interface Shortfall {
  field: ListingField;
  /** A short English sentence without subject: `is required`, `needs at least 160 characters`. */
  need: string;
}

/** A file of adverts: its start, the adverts with a separator, its end. */
export interface ExportDocument {
  encoding: 'utf-8' | 'latin1';
  /** The encoding where a setting of the placement decides it; `encoding` otherwise. */
  encodingIn?(context: ExportContext): 'utf-8' | 'latin1';
  start(context: ExportContext): string;
  separator: string;
  end(context: ExportContext): string;
  file(context: ExportContext): ExportFile;
}

export type ExportFile =
  | { kind: 'plain'; name: string }
  /** A ZIP with the document as `entry`, other texts beside it and, where the portal wants files, the photos. */
  | { kind: 'zip'; name: string; entry: string; beside: Readonly<Record<string, string>>; photos?: PhotoFiles };

/** Names of photo files in a ZIP; the engine reads the bytes from the photo's address. */
export type PhotoFiles = (item: ExportItem, context: ExportContext) => readonly { name: string; url: string }[];

interface TargetFacts {
  /** Lower-case letters, digits and hyphens. Never changes. */
  code: string;
  label: string;
  /** ISO 3166-1 of the portal's country; absent for formats of several countries. */
  country?: string;
  /** For operators: what the portal wants, and who gives the credentials. */
  notes: string;
  /** Raise it when the mapping changes, so that every advert is sent again. */
  version: number;
  /** Names and explanations. */
  credentials: Readonly<Record<string, string>>;
  /** The credentials without which nothing is sent. */
  requiredCredentials: readonly string[];
  settings: Readonly<Record<string, string>>;
  /** The allowed values of settings with a closed list, by name; the first value is the default. */
  choices?: Readonly<Record<string, readonly string[]>>;
  /** The settings without which no advert can be made. */
  requiredSettings: readonly string[];
  /** Whether the portal removes adverts that the list does not contain. */
  absenceRemoves: boolean;
  /** Whether the portal says what became of an advert; otherwise `delivered` is the last state. */
  acknowledges: boolean;
  /** The most photos of one advert. */
  maxPhotos: number;
  /** The fields of a listing that the format can carry: the round trip compares them. */
  fields: readonly ListingField[];
  /** The needs of this target that the listing does not meet; empty when it is ready. */
  shortfalls(item: ExportItem, context: ExportContext): readonly Shortfall[];
  /** One advert in the target's format. Equal listings give equal texts. Only called for listings without shortfalls. */
  advert(item: ExportItem, context: ExportContext): string;
}

/** The portal pulls the document from an address of ours. */
export interface AddressTarget extends TargetFacts {
  transport: 'address';
  contentType: string;
  document: ExportDocument;
}

/** We upload the document by FTP, FTPS or SFTP: the credential `url` says where. */
export interface FileTarget extends TargetFacts {
  transport: 'file';
  document: ExportDocument;
}

/** We send each advert to the portal's API. */
export interface ApiTarget extends TargetFacts {
  transport: 'api';
  open(placement: PlacementConfig, http: PortalHttp): PortalClient;
}

export type Target = AddressTarget | FileTarget | ApiTarget;

export interface PortalAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Sends one request to a portal. @throws RetryLater when the portal does not answer */
export type PortalHttp = (request: {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}) => Promise<PortalAnswer>;

/** The state of an advert, as the portal reports it. */
export interface AdvertStatus {
  state: 'accepted' | 'online' | 'refused' | 'removed';
  /** The advert's page at the portal. */
  url?: string;
  /** The portal's reason for a refusal, or its remark about an advert that it shows. */
  reason?: string;
}

/** The verbs of a portal's API. Each may be repeated after a crash without a second advert. */
export interface PortalClient {
  /** The portal's ids of all adverts that exist under our id: looked up before a repeated `create`. */
  find(advertId: string): Promise<readonly string[]>;
  /** @returns the portal's id. @throws AdvertRefused with the portal's reason */
  create(advert: string, advertId: string): Promise<string>;
  /** @returns the portal's id, another one when the advert had to be created again. @throws AdvertRefused */
  replace(portalId: string, advert: string, advertId: string): Promise<string>;
  /** Also succeeds when the portal does not know the advert any more. */
  remove(portalId: string): Promise<void>;
  status(portalId: string): Promise<AdvertStatus>;
}

/** The portal refuses this advert; the others can be sent. */
export class AdvertRefused extends Error {
  override readonly name: string = 'AdvertRefused';
}
