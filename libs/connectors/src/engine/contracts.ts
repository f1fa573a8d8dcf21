import type { Photo, Rejection, Warning } from '@passerelle/domain';
import type { SourceConfig } from '../kit/contracts';
import type { FeedCoverage } from '../kit/feed-shape';
import type { Exchanged } from '../kit/source-client';
import type { SpoolBudget } from './fetch/spool-budget';

/**
 * The contracts of those who run feeds: the engine takes a `FeedRequest`, fetches, cuts and maps, and gives a
 * `RecordOutcome` for each record and one `FeedSummary`. Those who write connectors have `kit/contracts.ts`.
 */

/** A file of an archive, as the archive's directory describes it. */
export interface ArchiveFile {
  /** As the archive spells it, with `/`. */
  name: string;
  sizeBytes: number;
  crc32: number;
  /** The bytes; each call starts at the first. @throws BadFeed when they are cut or damaged. */
  open(): AsyncIterable<Buffer>;
}

/** The files of what was fetched. None where it is no archive. */
export interface ArchiveFiles {
  /** Whether a file that is not here is gone, rather than brought by an earlier archive. */
  isComplete: boolean;
  /** Without folders, in lower case. */
  names: Iterable<string>;
  /** @param folder that of the records, as `export/`, or empty: files near it come first. */
  find(name: string, folder: string): ArchiveFile | undefined;
}

/** A photo of a listing that the feed brings as a file. */
export interface PhotoRequest {
  /** As the feed names it. */
  name: string;
  /** That of the records that name it. */
  folder: string;
  /** Undefined when the archive does not have it. */
  file: ArchiveFile | undefined;
  /** Whether an earlier archive may have brought it. */
  mayBeEarlier: boolean;
}

/** The state of a photo that came as a file. */
export type PhotoOutcome =
  | { kind: 'stored'; /** Its name in the store. */ name: string; photo: Omit<Photo, 'legende'> }
  | {
      kind: 'refused';
      /** In a few words. */ why: string;
      /** Whether the same file may be taken another time. */ mayRecover: boolean;
    }
  | { kind: 'missing' };

/** The stored facts about a listing's photo that came as a file, by which a later run sees whether it has changed. */
export interface PhotoFile {
  name: string;
  folder: string;
  /** The file in the last archive that contained it; null when none did, or it must be read again. */
  sizeBytes: number | null;
  crc32: number | null;
  outcome: PhotoOutcome;
  /** Whether the listing has an address instead. */
  isElsewhere?: boolean;
}

/** Where photos that come as files go. */
export interface PhotoIntake {
  /** The inputs of photo addresses: with another key, every record that may have such photos is mapped again. */
  key: string;
  /**
   * Takes the photos of one listing, and says what became of each.
   *
   * @throws Error when nothing can be stored: the run fails.
   */
  store(wanted: readonly PhotoRequest[]): Promise<PhotoFile[]>;
  /** The photos that the listing has now, of those that came as files. */
  ofListing?(affId: string): Promise<readonly Pick<PhotoFile, 'name' | 'folder'>[]>;
}

/** A slot for processing fetched data: a process has a few, and its runs share them. */
export interface ProcessingSlot {
  /** Waits for a slot, unless the run has one. @throws the reason of the run's signal when it is aborted. */
  enter(): Promise<void>;
  /** Releases the slot, if the run has one: it waits for its source, or is over. */
  leave(): void;
}

/** For a program that reads one feed alone. */
export const ALWAYS_AT_WORK: ProcessingSlot = { enter: () => Promise.resolve(), leave: () => undefined };

/**
 * Data about a source that is kept between runs, for all processes: credentials and records that are not published yet.
 */
export interface SourceMemory {
  /**
   * The credential that the account has, unless it is the refused one or near its end; else another, which one process at a time
   * asks for.
   *
   * @throws what `exchange` throws; the signal's reason.
   */
  exchanged(
    account: readonly string[],
    wanted: { refused: string | undefined; signal: AbortSignal; exchange: () => Promise<Exchanged> },
  ): Promise<string>;
  /** A record that an earlier run has asked for, by the hash of its summary. */
  findDetail(hash: string): Promise<Buffer | undefined>;
  /** Keeps a record until its listing is published. */
  keepDetail(hash: string, record: Buffer): Promise<void>;
  /** Without it, answers that seldom change are requested each time. */
  answers?: RememberedAnswers;
}

/** Answers that seldom change, by their questions. */
export interface RememberedAnswers {
  find(question: readonly string[]): Promise<RememberedAnswer | undefined>;
  keep(question: readonly string[], answer: Pick<RememberedAnswer, 'body' | 'etag'>): Promise<void>;
  /** The source has said that it is still its own: it is fresh for a day. */
  confirm(question: readonly string[]): Promise<void>;
}

/** An earlier answer of a source. */
export interface RememberedAnswer {
  body: Buffer;
  etag: string | undefined;
  isFresh: boolean;
}

/** The listings that a run must read because of calls of the CRM. */
export interface PendingNotifications {
  /** Identifiers, those first that wait longest. */
  named: readonly string[];
  /** A call, or an operator, says to look at everything. */
  isEverything: boolean;
  /** The listings of a source without a list whose last confirmation is before a time, the oldest first. */
  unconfirmed(before: Date, limit: number): Promise<readonly string[]>;
}

/** The requests of a run to a source that calls. */
export interface RequestedListings {
  /** It has read the whole list. */
  isEverything: boolean;
  /** Named listings that were answered, and those that are not there any more. */
  found: string[];
  gone: string[];
  /** Unanswered listings: the next run requests them again. */
  unanswered: string[];
  /** More have been named than one run asks for. */
  isMore: boolean;
  /** The source has no list. */
  isOneByOne: boolean;
}

/** The task of the engine: one pass over one gateway's feed. */
export interface FeedRequest {
  source: SourceConfig;
  /** From the last run that confirmed the current snapshot; empty forces a full read. */
  previous: FeedMemory;
  /** Called as soon as a document's size tells that its records will come: what they need can be on its way meanwhile. */
  expectRecords?(): void;
  /** Called ahead of the records of each document, and not for a source that says that nothing changed. */
  beforeRecords?(files: ArchiveFiles): Promise<void>;
  /** Whether a record with this hash is in the current snapshot: then it is neither parsed nor mapped. */
  isKnown(hash: string): boolean;
  /** Without it nothing is remembered: credentials are exchanged in each run, and a run that ends early begins again. */
  memory?: SourceMemory;
  /** Without it photos that come as files are named by the archive's entries. */
  photos?: PhotoIntake;
  /**
   * Held while fetched data is processed, and released while waiting for the source; without it processing is never
   * limited.
   */
  work?: ProcessingSlot;
  /** An operator says that this source never declares the number of records that it gives. */
  ignoresDeclaredCount?: boolean;
  /** For a source that calls. */
  pending?: PendingNotifications;
  /** An operator wants a full reading, whatever the source says about changes. */
  readsEverything?: boolean;
  outbound: OutboundPolicy;
  signal: AbortSignal;
}

/** Lets a later run see immediately that nothing changed. Opaque to every other module; JSON. */
export interface FeedMemory {
  /** A hash of the connector version, source and settings that it was made with. */
  mappingKey?: string;
  etag?: string;
  lastModified?: string;
  /** A hash of the archive with the photos, when it is not the feed's own archive. */
  photosEtag?: string;
  /** Names of the unknown elements beside the records; absent when the format is not checked for them. */
  unknownElements?: readonly string[];
  /** Hash of the fetched bytes. */
  fingerprint?: string;
  /** Hash of the fetched document. */
  sizeBytes?: number;
  /** When the whole list was last read, of a source that calls or says what has changed; ISO 8601. */
  comparedAt?: string;
  /** When a source that says what has changed was last asked; ISO 8601. */
  askedAt?: string;
  /** The newest removal that the source has reported; ISO 8601. */
  removedAt?: string;
  /** Listings confirmed before this time must be requested again; ISO 8601. */
  anewSince?: string;
}

/** A request to a source that is over. */
export interface RequestMade {
  /** Its address, without secrets. */
  shown: string;
  /** From the last answer; null without an answer, or without HTTP. */
  status: number | null;
  /** The unchanged body. */
  bytes: number;
  ms: number;
  /** Why it has failed, without secrets; null when it has not. */
  failure: string | null;
}

/** Limits of addresses and of sizes. */
export interface OutboundPolicy {
  /** `host:port` pairs that may be private addresses. */
  allowPrivate: ReadonlySet<string>;
  inboxDir: string;
  maxBytes: number;
  /** A feed of more is refused: a run holds something of every listing. Default 1,000,000. */
  maxRecords?: number;
  /** For the whole fetch. */
  timeoutMs: number;
  /** Without a byte. */
  idleTimeoutMs: number;
  /** The minimum rate of a body, measured again and again; by default 4096 bytes a second over 60 s. */
  leastRate?: { bytesPerSecond?: number; overMs?: number };
  /** A file in the inbox or on a server must keep its size and time for so long before it is read; default 5 s. */
  settleMs?: number;
  /** How long after its begin a run still asks for single listings; the next run asks for the rest. Default five sixths of `timeoutMs`. */
  detailsMs?: number;
  /** Between two pages of an API; default 100 ms. */
  pagePauseMs?: number;
  /** Shared by all runs of the process; without it each run has its own budget. */
  spoolBudget?: SpoolBudget;
  /** Told once of each request whose answer drips, or does not begin for 20 s. */
  onSlow?(): void;
  /** Called with each request when it is over. */
  onRequest?(request: RequestMade): void;
  /**
   * Resolves when a request to the host may be sent, with a function to call after its answer, when the host limits
   * simultaneous requests. @throws FeedError when none may be sent for a longer time.
   */
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
      /** The mask of its missing duties. */
      duties: number;
      /** Hash of both texts. */
      contentHash: string;
      /** Short hashes of the normalized text, and of the photos' own; null without photos. */
      empreinte: string;
      photosEmpreinte: string | null;
      /** Photos that came as files; absent without such. */
      photoFiles?: readonly PhotoFile[];
      /** Ready-to-send JSON texts, as UTF-8. */
      normalized: Buffer;
      raw: Buffer;
      /** Its search entry: JSON, and the set of its words. */
      searchFields: Buffer;
      searchWords: Buffer;
    }
  | { kind: 'withdrawn'; position: number; affId: string; scope: string; rejection: Rejection }
  | { kind: 'rejected'; position: number; rejection: Rejection };

/** The facts that are known after the whole feed was read. */
export interface FeedSummary {
  /** True when the source said, or the bytes show, that nothing changed: no record was read. */
  notModified: boolean;
  fetchedBytes: number;
  records: number;
  /** Why the feed is not whole, in words; null when it is. */
  incomplete: string | null;
  coverage: FeedCoverage;
  warnings: Warning[];
  /** Elements beside the records that the format does not know, counted by name; none when nothing changed. */
  unknownElements: Readonly<Record<string, number>>;
  memory: FeedMemory;
  /** Only for a source that calls. */
  requested?: RequestedListings;
}
