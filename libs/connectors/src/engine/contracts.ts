import type { Photo, Rejection, Warning } from '@passerelle/domain';
import type { SourceConfig } from '../kit/contracts';
import type { FeedCoverage } from '../kit/feed-shape';
import type { Exchanged } from '../kit/source-client';
import type { SpoolBudget } from './fetch/spool-budget';

/** Contracts for programs that run feeds; `kit/contracts.ts` has the contracts for connector authors. */

export interface ArchiveFile {
  /** The path as the archive spells it, with `/` as separator. */
  name: string;
  sizeBytes: number;
  crc32: number;
  /** Each call reads from the first byte. @throws BadFeed when bytes are missing or damaged. */
  open(): AsyncIterable<Buffer>;
}

/** The files of the fetched archive; empty when the fetched document is not an archive. */
export interface ArchiveFiles {
  /** True when a file that is not in this archive is gone; false when an earlier archive may contain it. */
  isComplete: boolean;
  /** File names without folders, in lower case. */
  names: Iterable<string>;
  /** @param folder the folder of the records, such as `export/`, or empty; files near it are preferred. */
  find(name: string, folder: string): ArchiveFile | undefined;
}

/** A listing's photo, floor plan or document that the feed delivers as a file. */
export interface PhotoRequest {
  /** Floor plans and documents are of kind `document`: they may be PDFs. */
  kind: 'photo' | 'document';
  /** As the feed names it. */
  name: string;
  /** The folder of the records that name the file. */
  folder: string;
  file: ArchiveFile | undefined;
  /** Whether an earlier archive may have contained the file. */
  mayBeEarlier: boolean;
}

export type PhotoOutcome =
  | { kind: 'stored'; /** Its name in the store. */ name: string; photo: Omit<Photo, 'legende'> }
  | {
      kind: 'refused';
      /** In a few words. */ why: string;
      /** Whether the store may accept the same file later. */ mayRecover: boolean;
    }
  | { kind: 'missing' };

/** Stored facts about a photo, floor plan or document that came as a file. A later run compares them to detect a changed photo. */
export interface PhotoFile {
  name: string;
  folder: string;
  /** The size in the last archive with the file; null without such an archive, or to read the file again. */
  sizeBytes: number | null;
  crc32: number | null;
  outcome: PhotoOutcome;
  /** Whether the listing uses an address instead of the file. */
  isElsewhere?: boolean;
}

export interface PhotoIntake {
  /** Everything that photo addresses depend on; when it changes, records that may have photo files are mapped again. */
  key: string;
  /** Stores one listing's files, in the order wanted. @throws Error when nothing can be stored; then the run fails. */
  store(wanted: readonly PhotoRequest[]): Promise<PhotoFile[]>;
  /** The listing's current photos that came as files. */
  ofListing?(affId: string): Promise<readonly Pick<PhotoFile, 'name' | 'folder'>[]>;
}

/** A slot for processing fetched data. The runs of a process share a few slots. */
export interface ProcessingSlot {
  /** Waits for a slot, unless the run already has one. @throws the reason of the run's signal when it is aborted. */
  enter(): Promise<void>;
  /** Releases the run's slot, if any, when the run waits for its source or is over. */
  leave(): void;
}

/** The slot for a program that reads a single feed: it never waits. */
export const ALWAYS_AT_WORK: ProcessingSlot = { enter: () => Promise.resolve(), leave: () => undefined };

/** Data about a source that all processes keep between runs: credentials, and records not published yet. */
export interface SourceMemory {
  /**
   * The account's credential. One process at a time exchanges it again when it was refused or expires soon.
   * @throws the error of `exchange`; the signal's reason when it is aborted.
   */
  exchanged(
    account: readonly string[],
    wanted: { refused: string | undefined; signal: AbortSignal; exchange: () => Promise<Exchanged> },
  ): Promise<string>;
  /** A record that an earlier run requested, by the hash of its summary. */
  findDetail(hash: string): Promise<Buffer | undefined>;
  /** Keeps a record until its listing is published. */
  keepDetail(hash: string, record: Buffer): Promise<void>;
  answers?: RememberedAnswers;
}

/** Answers that seldom change, keyed by the question. */
export interface RememberedAnswers {
  find(question: readonly string[]): Promise<RememberedAnswer | undefined>;
  keep(question: readonly string[], answer: Pick<RememberedAnswer, 'body' | 'etag'>): Promise<void>;
  /** Marks the answer as fresh for a day, because the source said that it has not changed. */
  confirm(question: readonly string[]): Promise<void>;
}

export interface RememberedAnswer {
  body: Buffer;
  etag: string | undefined;
  isFresh: boolean;
}

/** The listings that a run must read because the CRM sent webhooks. */
export interface PendingNotifications {
  /** Identifiers, sorted by waiting time, longest first. */
  named: readonly string[];
  /** Whether a webhook or an operator asked to read everything. */
  isEverything: boolean;
  /** For a source without a list: the listings last confirmed before a time, the oldest first. */
  unconfirmed(before: Date, limit: number): Promise<readonly string[]>;
}

/** The listings that a run requested from a source that sends webhooks. */
export interface RequestedListings {
  /** Whether the run has read the whole list. */
  isEverything: boolean;
  found: string[];
  gone: string[];
  /** Unanswered listings: the next run requests them again. */
  unanswered: string[];
  /** Whether webhooks named more listings than one run requests. */
  isMore: boolean;
  /** The source has no list. */
  isOneByOne: boolean;
}

export interface FeedRequest {
  source: SourceConfig;
  /** The memory of the last run that confirmed the current snapshot; empty forces a full read. */
  previous: FeedMemory;
  /** The listings will be mapped again from their stored records, so the memory of their earlier mapping is valid. */
  remapsLater?: boolean;
  /** Called when a document's size shows that its records will be read. The caller can then load their data. */
  expectRecords?(): void;
  /** Called before the records of each document; not called when the source says that nothing changed. */
  beforeRecords?(files: ArchiveFiles): Promise<void>;
  /** Whether a record with this hash is in the current snapshot; if so, it is neither parsed nor mapped. */
  isKnown(hash: string): boolean;
  /** Without a memory, each run exchanges credentials again, and an interrupted run starts over. */
  memory?: SourceMemory;
  /** Without an intake, photo files get the names of the archive's entries. */
  photos?: PhotoIntake;
  /** The run holds this slot while it processes data, not while it waits for the source. Default: no limit. */
  work?: ProcessingSlot;
  /** Whether an operator has limited the requests per day: then photos must not use up those of the source's host. */
  hasDailyLimit?: boolean;
  /** Whether an operator has said that this source's declared number of records is never right. */
  ignoresDeclaredCount?: boolean;
  /** For a source that calls. */
  pending?: PendingNotifications;
  /** Whether an operator requests a full read, even if the source reports no change. */
  readsEverything?: boolean;
  outbound: OutboundPolicy;
  signal: AbortSignal;
}

/** JSON that shows a later run immediately that nothing changed. Only this module reads it. */
export interface FeedMemory {
  /** A hash of the connector version, the source and the settings for which this memory is valid. */
  mappingKey?: string;
  /** The mapping of all listings of the snapshot, as `mappingOf` names it; absent when they may have several. */
  mappedAs?: string;
  /** Earlier mappings that make the same listings of records whose hashes are stored with their masks. */
  hashedAs?: readonly string[];
  /** The elements beside the records that a mapping from stored raw records reads. */
  beside?: Readonly<Record<string, unknown>>;
  etag?: string;
  lastModified?: string;
  /** A hash of the archive with the photos, when it is not the feed's own archive. */
  photosEtag?: string;
  /** Names of the unknown elements beside the records; absent when the format is not checked for them. */
  unknownElements?: readonly string[];
  /** Addresses of photos whose queries did not count, hashed, by `affId`; the ingestor writes and reads this member. */
  photoQueries?: Readonly<Record<string, string>>;
  /** Hash of the fetched bytes. */
  fingerprint?: string;
  sizeBytes?: number;
  /** When the whole list was last read, for a source that sends webhooks or lists changes; ISO 8601. */
  comparedAt?: string;
  /** When a source that lists changes was last queried; ISO 8601. */
  askedAt?: string;
  /** The newest removal that the source has reported; ISO 8601. */
  removedAt?: string;
  /** Listings confirmed before this time must be requested again; ISO 8601. */
  anewSince?: string;
}

export interface RequestMade {
  /** The request's address, without secrets. */
  shown: string;
  /** The HTTP status of the last answer; null without an answer, or for another protocol. */
  status: number | null;
  /** The unchanged body. */
  bytes: number;
  ms: number;
  /** Why the request failed, without secrets; null when it succeeded. */
  failure: string | null;
}

export interface OutboundPolicy {
  /** `host:port` pairs whose addresses may be private. */
  allowPrivate: ReadonlySet<string>;
  inboxDir: string;
  maxBytes: number;
  /** Refuses larger feeds, because a run keeps some data of every listing in memory. Default 1,000,000. */
  maxRecords?: number;
  /** For the whole fetch. */
  timeoutMs: number;
  /** Without a byte. */
  idleTimeoutMs: number;
  /** The minimum rate of a body, measured repeatedly; default 4096 bytes per second over 60 s. */
  leastRate?: { bytesPerSecond?: number; overMs?: number };
  /** How long a file in the inbox or on a server must keep its size and time before it is read; default 5 s. */
  settleMs?: number;
  /** A run requests single listings only this long after its start; default five sixths of `timeoutMs`. */
  detailsMs?: number;
  /** The pause between two pages of an API; default 100 ms. */
  pagePauseMs?: number;
  /** All runs of the process share this budget; by default each run has its own. */
  spoolBudget?: SpoolBudget;
  /** Called once for each request whose answer arrives too slowly, or has not begun after 20 s. */
  onSlow?(): void;
  /** Called for each request when it has ended. */
  onRequest?(request: RequestMade): void;
  /** Waits until a request may be sent; call the result after the answer. @throws FeedError after a long wait */
  admit?(host: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** The result for one record. `position` is 1-based in feed order. `hash` is 32 hexadecimal characters. */
export type RecordOutcome =
  | { kind: 'unchanged'; position: number; hash: string }
  | {
      kind: 'listing';
      position: number;
      hash: string;
      affId: string;
      affNum: string | undefined;
      scope: string;
      revision: string | undefined;
      fill: number;
      /** Bit mask of the legally required statements that the listing lacks. */
      duties: number;
      /** Hash of both texts. */
      contentHash: string;
      /** Short hashes of the normalized text, and of the photos' own hashes (null without photos). */
      empreinte: string;
      photosEmpreinte: string | null;
      photoFiles?: readonly PhotoFile[];
      /** Ready-to-send JSON texts, as UTF-8. */
      normalized: Buffer;
      raw: Buffer;
      /** The listing's search entry: JSON, and a set of words. */
      searchFields: Buffer;
      searchWords: Buffer;
    }
  | { kind: 'withdrawn'; position: number; affId: string; scope: string; rejection: Rejection }
  | { kind: 'rejected'; position: number; rejection: Rejection };

export interface FeedSummary {
  /** True when the source or the bytes show that nothing changed. Then no record was read. */
  notModified: boolean;
  fetchedBytes: number;
  records: number;
  /** Why the feed is incomplete, in words; null when it is complete. */
  incomplete: string | null;
  coverage: FeedCoverage;
  warnings: Warning[];
  /** Elements beside the records that the format does not know, counted by name; empty when nothing changed. */
  unknownElements: Readonly<Record<string, number>>;
  memory: FeedMemory;
  requested?: RequestedListings;
}
