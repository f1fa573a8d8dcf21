import { AccessRefused, BadFeed } from '@passerelle/domain';
import type { PagedFetch, SourceClient, SourceRequest } from '../../../kit/contracts';
import type { Exchanged, SourceAnswer } from '../../../kit/source-client';
import type { FeedPass } from '../../feed-pass';
import { digest } from '../../map/record-hash';
import type { Answer } from '../http/outbound-session';
import type { Spool } from '../spool';
import { requestWithRetries } from './request-with-retries';

const MAX_SECONDARY_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_COMPOSED_ANSWER_BYTES = 64 * 1024 * 1024;

/** All requests of one pass over the pages of a source, signed where the source wants it. */
export class SourceRequests {
  /** For what a connector asks beside the pages. */
  readonly client: SourceClient = {
    getJson: (request) => this.getJson(request),
    get: (request) => this.get(request),
    exchanged: (account, exchange) => this.exchanged(account, exchange),
    warn: (code, field, value) => {
      this.pass.warnings.note(code, field, value);
      this.pass.warnings.settle(undefined);
    },
  };

  /** By account: what was given in this pass, and what the source has refused of it. */
  private readonly given = new Map<string, string>();
  private readonly refused = new Map<string, string>();
  private isRemembered = false;

  constructor(
    private readonly pass: FeedPass,
    private readonly fetch: Pick<PagedFetch, 'compose' | 'sign' | 'whenRefused'>,
  ) {}

  /** Whether the source may have ended what lets in: another run got it. */
  get mayBeOutdated(): boolean {
    return this.isRemembered;
  }

  /** The source has answered 401: what was exchanged so far lets nobody in. */
  refuseExchanged(): void {
    for (const [key, value] of this.given) this.refused.set(key, value);
    this.given.clear();
    this.isRemembered = false;
  }

  /** The page that the format cuts: the answer, or what the connector composes with it. @throws FeedError */
  async page(request: SourceRequest): Promise<Spool> {
    const { session, request: feed } = this.pass;
    const { spool: answer } = await this.send(request);
    if (this.fetch.compose === undefined) return answer;
    try {
      if (answer.sizeBytes > MAX_COMPOSED_ANSWER_BYTES) throw this.tooLarge(request);
      const body = await answer.read(0, answer.sizeBytes);
      const page = await this.fetch.compose({ request, body }, feed.source, this.client);
      return await session.spoolEntry(inOneChunk(page));
    } finally {
      await session.release(answer);
    }
  }

  private async send(request: SourceRequest): Promise<Extract<Answer, { kind: 'document' }>> {
    const { session, request: feed } = this.pass;
    try {
      return await requestWithRetries(
        session,
        request,
        feed.signal,
        (unsigned) => this.fetch.sign?.(unsigned, feed.source, new Date()) ?? unsigned,
      );
    } catch (error) {
      const { whenRefused } = this.fetch;
      if (!(error instanceof AccessRefused) || whenRefused === undefined) throw error;
      throw new AccessRefused(`${error.message}: ${whenRefused}`);
    }
  }

  private async getJson(request: SourceRequest): Promise<unknown> {
    const { body } = await this.get(request);
    try {
      const parsed: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
      return parsed;
    } catch {
      // No `cause`: its message quotes the answer, which may hold a token.
      throw new BadFeed(`${this.pass.session.show(request.url)} did not answer with JSON`);
    }
  }

  /** The whole answer to a request for no page. @throws FeedError */
  async get(request: SourceRequest): Promise<SourceAnswer> {
    const { spool: answer, headers = {} } = await this.send(request);
    try {
      if (answer.sizeBytes > MAX_SECONDARY_ANSWER_BYTES) throw this.tooLarge(request);
      // Copied: the spool's own bytes are another's once it is released.
      return { body: Buffer.from(await answer.read(0, answer.sizeBytes)), headers };
    } finally {
      await this.pass.session.release(answer);
    }
  }

  private async exchanged(account: readonly string[], exchange: () => Promise<Exchanged>): Promise<string> {
    const { connector, request: feed } = this.pass;
    const key = digest(JSON.stringify([connector.code, ...account]));
    const known = this.given.get(key);
    if (known !== undefined) return known;
    let isNew = false;
    const askedNow = (): Promise<Exchanged> => {
      isNew = true;
      return exchange();
    };
    const value =
      feed.memory === undefined
        ? (await askedNow()).value
        : await feed.memory.exchanged(account, {
            ...{ refused: this.refused.get(key), signal: feed.signal },
            exchange: askedNow,
          });
    this.isRemembered ||= !isNew;
    this.given.set(key, value);
    return value;
  }

  private tooLarge({ url }: SourceRequest): BadFeed {
    return new BadFeed(`${this.pass.session.show(url)} answered with more bytes than expected`);
  }
}

async function* inOneChunk(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
