import type { Photo, Rejection, Warning } from '@passerelle/domain';
import type { SourceConfig } from '../kit/contracts';
import type { FeedCoverage } from '../kit/feed-shape';
import type { Exchanged } from '../kit/source-client';
import type { SpoolRoom } from './fetch/spool-room';

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
export interface WantedPhoto {
  /** As the feed names it. */
  name: string;
  /** That of the records that name it. */
  folder: string;
  /** Undefined when the archive does not have it. */
  file: ArchiveFile | undefined;
  /** Whether an earlier archive may have brought it. */
  mayBeEarlier: boolean;
}

/** What became of a photo that came as a file. */
export type TakenPhoto =
  | { kind: 'stored'; /** What the store calls it. */ name: string; photo: Omit<Photo, 'legende'> }
  | {
      kind: 'refused';
      /** In a few words. */ why: string;
      /** Whether the same file may be taken another time. */ mayRecover: boolean;
    }
  | { kind: 'missing' };

/** What is remembered of a listing's photo that came as a file, so that a later run sees whether it is another. */
export interface PhotoFile {
  name: string;
  folder: string;
  /** Of the file as some archive brought it; null when none did, or it must be looked at again. */
  sizeBytes: number | null;
  crc32: number | null;
  taken: TakenPhoto;
  /** Whether the listing names an address in its stead. */
  isElsewhere?: boolean;
}

/** Where photos that come as files go. */
export interface PhotoIntake {
  /** What the addresses of photos depend on: with another key every record that may have such photos is mapped anew. */
  key: string;
  /**
   * Takes the photos of one listing, and says what became of each.
   *
   * @throws Error when nothing can be stored: the run fails.
   */
  take(wanted: readonly WantedPhoto[]): Promise<PhotoFile[]>;
  /** The photos that the listing has now, of those that came as files. */
  ofListing?(affId: string): Promise<readonly Pick<PhotoFile, 'name' | 'folder'>[]>;
}

/** A place to work at what was fetched: a process has a few, and its runs share them. */
export interface WorkPlace {
  /** Waits for a place, unless the run has one. @throws the reason of the run's signal when it is aborted. */
  enter(): Promise<void>;
  /** Gives it back, if the run has one: it waits for its source, or is over. */
  leave(): void;
}

/** For a program that reads one feed alone. */
export const ALWAYS_AT_WORK: WorkPlace = { enter: () => Promise.resolve(), leave: () => undefined };

/** What is remembered of a source from run to run, for all processes: credentials and records that are not published yet. */
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
  /** Without it answers that seldom change are asked for each time. */
  answers?: RememberedAnswers;
}

/** Answers that seldom change, by their questions. */
export interface RememberedAnswers {
  find(question: readonly string[]): Promise<RememberedAnswer | undefined>;
  keep(question: readonly string[], answer: Pick<RememberedAnswer, 'body' | 'etag'>): Promise<void>;
  /** The source has said that it is still its own: it is fresh for a day. */
  confirm(question: readonly string[]): Promise<void>;
}

/** What a source has answered before. */
export interface RememberedAnswer {
  body: Buffer;
  etag: string | undefined;
  isFresh: boolean;
}

/** What calls of a CRM ask a run to look at. */
export interface CallsToAnswer {
  /** Identifiers, those first that wait longest. */
  named: readonly string[];
  /** A call, or an operator, says to look at everything. */
  isEverything: boolean;
  /** What was last confirmed before a time, of a source that has no list; those first that wait longest. */
  unconfirmed(before: Date, limit: number): Promise<readonly string[]>;
}

/** What a run has asked a source for that calls. */
export interface AskedListings {
  /** It has read the whole list. */
  isEverything: boolean;
  /** Named listings that were answered, and those that are not there any more. */
  found: string[];
  gone: string[];
  /** Those that the source did not answer: they are asked for again. */
  unanswered: string[];
  /** More have been named than one run asks for. */
  isMore: boolean;
  /** The source has no list. */
  isOneByOne: boolean;
}

/** What the engine is asked to do: one pass over one gateway's feed. */
export interface FeedRequest {
  source: SourceConfig;
  /** From the last run that confirmed the current snapshot; empty forces a full read. */
  previous: FeedMemory;
  /** Called as soon as a document's size tells that its records will come: what they need can be on its way meanwhile. */
  expectRecords?(): void;
  /** Called ahead of the records of each part, and not for a source that says that nothing changed. */
  beforeRecords?(files: ArchiveFiles): Promise<void>;
  /** Whether a record with this hash is in the current snapshot: then it is neither parsed nor mapped. */
  isKnown(hash: string): boolean;
  /** Without it nothing is remembered: credentials are exchanged in each run, and a run that ends early begins again. */
  memory?: SourceMemory;
  /** Without it photos that come as files are named by the archive's entries. */
  photos?: PhotoIntake;
  /** Taken for the work on what was fetched, and left while the source is waited for; without it there is always one. */
  work?: WorkPlace;
  /** An operator says that this source never declares the number of records that it gives. */
  ignoresDeclaredCount?: boolean;
  /** For a source that calls. */
  calls?: CallsToAnswer;
  /** Somebody wants to see the source as it is, whatever it says of its changes. */
  readsEverything?: boolean;
  outbound: OutboundPolicy;
  signal: AbortSignal;
}

/** What lets a later run see at once that nothing changed. Opaque to everyone else; JSON. */
export interface FeedMemory {
  /** Of the connector version, source and settings that it was made with. */
  mappingKey?: string;
  etag?: string;
  lastModified?: string;
  /** Of the archive in which photos come, where that is not the feed's own. */
  photosEtag?: string;
  /** Names of the elements beside the records that the format does not know; absent while none was looked for. */
  unknownElements?: readonly string[];
  /** Of the fetched bytes. */
  fingerprint?: string;
  /** Of the fetched document. */
  sizeBytes?: number;
  /** When the whole list was last read, of a source that calls or says what has changed; ISO 8601. */
  comparedAt?: string;
  /** When a source that says what has changed was last asked; ISO 8601. */
  askedAt?: string;
  /** The newest removal that the source has told of; ISO 8601. */
  removedAt?: string;
  /** What was confirmed before is to be asked for anew; ISO 8601. */
  anewSince?: string;
}

/** A request to a source that is over. */
export interface RequestMade {
  /** Its address, without secrets. */
  shown: string;
  /** Of the last answer; null by other protocols than HTTP, or without an answer. */
  status: number | null;
  /** Of the body, as they came. */
  bytes: number;
  ms: number;
  /** Why it has failed, without secrets; null when it has not. */
  failure: string | null;
}

/** What may be reached, and how much may be taken. */
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
  /** What a body must bring while it arrives, measured again and again; by default 4096 bytes a second over 60 s. */
  leastRate?: { bytesPerSecond?: number; overMs?: number };
  /** A file in the inbox or on a server must keep its size and time for so long before it is read; default 5 s. */
  settleMs?: number;
  /** How long after its begin a run still asks for single listings; the next run asks for the rest. Default five sixths of `timeoutMs`. */
  detailsMs?: number;
  /** Between two pages of an API; default 100 ms. */
  pagePauseMs?: number;
  /** Shared by all runs of the process; without it each has as much room as it wants. */
  spoolRoom?: SpoolRoom;
  /** Told once of each request whose answer drips, or does not begin for 20 s. */
  onSlow?(): void;
  /** Told of each request once it is over. */
  onRequest?(request: RequestMade): void;
  /**
   * Returns when a request to the host may be sent, with what to call once its answer is there, where the host answers so many
   * at once. @throws FeedError when none may be sent for a longer time.
   */
  admit?(host: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

/** What became of one record. `position` is 1-based in feed order. `hash` is 32 hexadecimal characters. */
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
      /** Of both texts. */
      contentHash: string;
      /** Short hashes of the normalized text, and of the photos' own; null without photos. */
      empreinte: string;
      photosEmpreinte: string | null;
      /** Of the photos that came as files; absent without such. */
      photoFiles?: readonly PhotoFile[];
      /** Ready-to-send JSON texts, as UTF-8. */
      normalized: Buffer;
      raw: Buffer;
      /** What it is found by: JSON, and the set of its words. */
      searchFields: Buffer;
      searchWords: Buffer;
    }
  | { kind: 'withdrawn'; position: number; affId: string; scope: string; rejection: Rejection }
  | { kind: 'rejected'; position: number; rejection: Rejection };

/** What is known when the whole feed was read. */
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
  /** Of a source that calls. */
  asked?: AskedListings;
}
