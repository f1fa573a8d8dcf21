import { AccessRefused, BadFeed } from '@passerelle/domain';
import type { ListingDetails, Slice, SourceRequest } from '../../../kit/contracts';
import type { FeedPass } from '../../feed-pass';
import type { RecordSlice } from '../../map/record-reader';
import type { SourceRequests } from './source-requests';
import type { WalkableList } from './walk-list';

/** The run stops requesting listings after this many invalid answers in a row. */
const MOST_BAD_ANSWERS = 5;

type WholeSlice = Extract<Slice, { kind: 'record' | 'broken' }>;

/**
 * Requests the listings whose summaries are new, for a limited time. Stores them, so that the next run can continue.
 */
export class DetailReader {
  private requested = 0;
  private left = 0;
  private badAnswers = 0;
  /** The request with the newest credentials, after a token was renewed. */
  private renewed: SourceRequest | undefined;

  /** @param untilMs no listing is requested after this time, on the clock of `performance.now()`. */
  constructor(
    private readonly pass: FeedPass,
    private readonly requests: SourceRequests,
    private readonly details: ListingDetails,
    private readonly list: Pick<WalkableList, 'prepareAgain'>,
    private readonly untilMs: number,
  ) {}

  /**
   * The record of a listing; undefined when its answer is invalid or it must wait for the next run. @throws FeedError
   * when the source refuses access or is out of service
   */
  async sliceFor(summary: RecordSlice, page: SourceRequest): Promise<WholeSlice | undefined> {
    const { reader, request } = this.pass;
    const hash = reader.hashOf(summary);
    const slice = { kind: 'record' as const, bytes: summary.bytes, line: summary.line, hash };
    if (request.isKnown(hash)) return slice;
    const parsed = reader.tryParse(summary.bytes);
    if (parsed === undefined)
      return { kind: 'broken', bytes: summary.bytes, line: summary.line, message: 'the summary cannot be read' };
    const remembered = await request.memory?.findDetail(hash);
    if (remembered !== undefined) return { ...slice, bytes: remembered };
    if (!this.mayRequest()) {
      this.left += 1;
      return undefined;
    }
    try {
      const asking = this.details.request(
        parsed,
        this.renewed === undefined ? page : withHeadersOf(page, this.renewed),
      );
      const bytes = this.details.record(summary.bytes, await this.request(asking));
      await request.memory?.keepDetail(hash, bytes);
      this.badAnswers = 0;
      return { ...slice, bytes };
    } catch (error) {
      if (!(error instanceof BadFeed)) throw error;
      this.badAnswers += 1;
      this.pass.incomplete ??= `a listing could not be read: ${error.message}`;
      return undefined;
    }
  }

  /** Reports how many listings are left for the next run. */
  end(): void {
    if (this.left === 0) return;
    this.pass.incomplete ??= `${this.requested} listings were requested, and ${this.left} are left to the next run`;
  }

  private mayRequest(): boolean {
    return this.badAnswers < MOST_BAD_ANSWERS && performance.now() < this.untilMs;
  }

  private async request(request: SourceRequest): Promise<Buffer> {
    this.requested += 1;
    try {
      return (await this.requests.get(request)).body;
    } catch (error) {
      if (!(error instanceof AccessRefused)) throw error;
      const again = await this.list.prepareAgain();
      if (again === undefined || new URL(again.url).origin !== new URL(request.url).origin) throw error;
      this.renewed = again;
      return (await this.requests.get(withHeadersOf(request, again))).body;
    }
  }
}

function withHeadersOf(request: SourceRequest, { headers }: SourceRequest): SourceRequest {
  return headers === undefined ? request : { ...request, headers };
}
