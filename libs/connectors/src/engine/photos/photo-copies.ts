import { BadFeed, FeedError } from '@passerelle/domain';
import { toFlag } from '../../kit/clean/fold-word';
import { unsignedText } from '../../kit/clean/signed-urls';
import { COPY_PHOTOS_SETTING } from '../../kit/photo-series';
import type { FeedDocument } from '../../kit/contracts';
import type { FeedRequest, PhotoIntake } from '../contracts';
import { NO_FILES } from '../cut/open/archive-files';
import { OutboundSession } from '../fetch/http/outbound-session';
import type { Spool } from '../fetch/spool';
import type { RecordReader } from '../map/record-reader';
import { PhotoFiles } from './photo-files';
import { PhotoSeries } from './photo-series';

export type FetchPhoto = (url: string) => AsyncIterable<Buffer>;

/** Where a document's first listings are: enough to see whether their photos have signed addresses. */
const PEEKED_BYTES = 256 * 1024;
/** The share of the time for the feed in which a run copies photos. The next run copies the others. */
const SHARE_OF_TIME = 1 / 6;
const SHARE_OF_BYTES = 1 / 4;
/** After so many failures in a row, a run requests no more photos from a host. */
const MOST_FAILURES = 20;

/** Copies the photos that have signed addresses into the media store, because such an address soon ends. */
export class PhotoCopies {
  private readonly intake: PhotoIntake | undefined;
  private readonly until: number;
  private session: OutboundSession | undefined;
  /** Failures in a row, by host. */
  private readonly failures = new Map<string, number>();

  /** @param limitedHost a host with limited requests: these are for the feed */
  constructor(
    private readonly request: FeedRequest,
    private readonly limitedHost: string | undefined,
  ) {
    const { source, photos, outbound } = request;
    const setting = source.settings[COPY_PHOTOS_SETTING];
    this.intake = setting !== undefined && toFlag(setting) === false ? undefined : photos;
    this.until = performance.now() + outbound.timeoutMs * SHARE_OF_TIME;
  }

  /** For photos beside the files of an archive; undefined when signed photos are not copied. */
  get fetch(): FetchPhoto | undefined {
    return this.intake === undefined ? undefined : (url) => this.fetchOne(url);
  }

  /**
   * Lets the reader copy photos if the document has signed addresses. Not done for other documents: photos are copied
   * one record at a time, and not by the mapping threads.
   */
  async prepare(reader: RecordReader, document: FeedDocument): Promise<void> {
    const { intake, fetch } = this;
    if (intake === undefined || fetch === undefined || reader.photoFiles !== null) return;
    if (!hasSignedAddress(await startOf(document))) return;
    reader.photoFiles = new PhotoFiles(intake, NO_FILES, '', new PhotoSeries(), fetch);
    // The addresses of copied photos begin with it.
    reader.setContext('#copied photos', intake.key);
  }

  async close(): Promise<void> {
    await this.session?.close();
  }

  private async *fetchOne(url: string): AsyncGenerator<Buffer> {
    const { host } = new URL(url);
    const failed = this.failures.get(host) ?? 0;
    const isOver = performance.now() > this.until || failed >= MOST_FAILURES;
    if (isOver || this.isLimited(host)) throw new BadFeed('the photo is not copied in this run');
    try {
      yield* fetchPhoto(this.openSession(), url);
      this.failures.set(host, 0);
    } catch (error) {
      this.failures.set(host, failed + 1);
      throw error;
    }
  }

  private isLimited(host: string): boolean {
    const { source, hasDailyLimit = false } = this.request;
    return host === this.limitedHost || (hasDailyLimit && source.url.includes(`//${host}/`));
  }

  /** Uses its own session, so that photos take no time and no bytes from the feed's limits. */
  private openSession(): OutboundSession {
    const { outbound, signal, source, work } = this.request;
    this.session ??= new OutboundSession(
      { ...outbound, maxBytes: outbound.maxBytes * SHARE_OF_BYTES },
      signal,
      Object.values(source.credentials),
      work,
    );
    return this.session;
  }
}

/** The bytes of a photo. @throws BadFeed, because a missing photo must not fail the whole feed */
export async function* fetchPhoto(session: OutboundSession, url: string): AsyncGenerator<Buffer> {
  let spool: Spool | undefined;
  try {
    const answer = await session.request({ url });
    if (answer.kind !== 'document') throw new BadFeed('a photo was answered with 304');
    ({ spool } = answer);
    for await (const chunk of spool.open()) yield Buffer.from(chunk);
  } catch (error) {
    throw error instanceof FeedError ? new BadFeed(error.message, { cause: error }) : error;
  } finally {
    if (spool !== undefined) await session.release(spool);
  }
}

async function startOf(document: FeedDocument): Promise<string> {
  let text = '';
  for await (const chunk of document.open()) {
    text += chunk.toString('latin1', 0, PEEKED_BYTES - text.length);
    if (text.length >= PEEKED_BYTES) break;
  }
  return text;
}

/** JSON may escape the slashes and ampersands of an address. */
function hasSignedAddress(text: string): boolean {
  return unsignedText(text.replaceAll('\\/', '/').replaceAll('\\u0026', '&')).ends.length > 0;
}
