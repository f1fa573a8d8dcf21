import { AccessRefused, BadFeed, RetryLater } from '@passerelle/domain';
import type { PagedFetch, SourceClient, SourceRequest } from '../../../kit/contracts';
import type { Exchanged, SourceAnswer } from '../../../kit/source-client';
import type { FeedPass } from '../../feed-pass';
import { digest } from '../../map/record-hash';
import type { Answer } from '../http/outbound-session';
import type { Conditions } from '../http/redirects';
import type { Spool } from '../spool';
import { requestWithRetries } from './request-with-retries';

const MAX_SECONDARY_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_COMPOSED_ANSWER_BYTES = 64 * 1024 * 1024;

/** All requests of one pass over the pages of a source, signed if the source requires it. */
export class SourceRequests {
  /** Sends the requests of a connector that are not for pages. */
  readonly client: SourceClient = {
    getJson: (request) => this.getJson(request),
    getTable: (request) => this.getTable(request),
    get: (request) => this.get(request),
    exchanged: (account, exchange) => this.exchanged(account, exchange),
    warn: (code, field, value) => {
      this.pass.warnings.note(code, field, value);
      this.pass.warnings.settle(undefined);
    },
  };

  /** By account: the credentials used in this pass, and those that the source has refused. */
  private readonly given = new Map<string, string>();
  private readonly refused = new Map<string, string>();
  private isRemembered = false;

  constructor(
    private readonly pass: FeedPass,
    private readonly fetch: Pick<PagedFetch, 'compose' | 'sign' | 'whenRefused'>,
  ) {}

  /** Whether the credential may be invalid by now, because an earlier run obtained it. */
  get mayBeOutdated(): boolean {
    return this.isRemembered;
  }

  /** Marks the current credentials as invalid, because the source has answered 401. */
  refuseExchanged(): void {
    for (const [key, value] of this.given) this.refused.set(key, value);
    this.given.clear();
    this.isRemembered = false;
  }

  /**
   * Fetches the page that the format will cut into records: the answer, or the page that the connector composes from
   * it. @throws FeedError
   */
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
    const answer = await this.request(request);
    if (answer.kind === 'document') return answer;
    throw new RetryLater(`${this.pass.session.show(request.url)} answered 304 to a request without conditions`);
  }

  private async request(request: SourceRequest, conditions?: Conditions): Promise<Answer> {
    const { session, request: feed } = this.pass;
    try {
      return await requestWithRetries(session, request, feed.signal, {
        ...(conditions !== undefined && { conditions }),
        sign: (unsigned) => this.fetch.sign?.(unsigned, feed.source, new Date()) ?? unsigned,
      });
    } catch (error) {
      const { whenRefused } = this.fetch;
      if (!(error instanceof AccessRefused) || whenRefused === undefined) throw error;
      throw new AccessRefused(`${error.message}: ${whenRefused}`);
    }
  }

  private async getJson(request: SourceRequest): Promise<unknown> {
    const { body } = await this.get(request);
    return this.parsed(body, request);
  }

  /**
   * Requests JSON through a cache. The key is the whole request with its headers, so that a run only gets answers that
   * it could request itself.
   */
  private async getTable(request: SourceRequest): Promise<unknown> {
    const { answers } = this.pass.request.memory ?? {};
    if (answers === undefined) return await this.getJson(request);
    const question = [request.url, request.method ?? 'GET', request.body ?? '', JSON.stringify(request.headers ?? {})];
    const known = await answers.find(question);
    if (known?.isFresh === true) return this.parsed(known.body, request);
    const { etag } = known ?? {};
    const answer = await this.request(request, etag === undefined ? undefined : { etag });
    if (answer.kind === 'not-modified' && known !== undefined) {
      await answers.confirm(question);
      return this.parsed(known.body, request);
    }
    if (answer.kind === 'not-modified') throw new RetryLater(`${this.pass.session.show(request.url)} answered 304`);
    const { body } = await this.taken(answer, request);
    const table = this.parsed(body, request);
    await answers.keep(question, { body, etag: answer.etag });
    return table;
  }

  private parsed(body: Buffer, { url }: SourceRequest): unknown {
    try {
      return JSON.parse(body.toString('utf8').replace(/^\ufeff/, '')) as unknown;
    } catch {
      // No `cause`, because its message would quote the answer, which may contain a token.
      throw new BadFeed(`${this.pass.session.show(url)} did not answer with JSON`);
    }
  }

  /** The whole answer to a request that is not for a page. @throws FeedError */
  async get(request: SourceRequest): Promise<SourceAnswer> {
    return await this.taken(await this.send(request), request);
  }

  private async taken(
    { spool: answer, headers = {} }: Extract<Answer, { kind: 'document' }>,
    request: SourceRequest,
  ): Promise<SourceAnswer> {
    try {
      if (answer.sizeBytes > MAX_SECONDARY_ANSWER_BYTES) throw this.tooLarge(request);
      // A copy, because the spool's memory is reused after its release.
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
