import { AccessRefused, BadFeed } from '@passerelle/domain';
import type { PagedFetch, SourceClient, SourceRequest } from '../../../kit/contracts';
import type { FeedPass } from '../../feed-pass';
import type { Spool } from '../spool';
import { requestWithRetries } from './request-with-retries';

const MAX_SECONDARY_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_COMPOSED_ANSWER_BYTES = 64 * 1024 * 1024;

/** All requests of one pass over the pages of a source, signed where the source wants it. */
export class SourceRequests {
  /** For what a connector asks beside the pages. */
  readonly client: SourceClient = {
    getJson: (request) => this.getJson(request),
    warn: (code, field, value) => {
      this.pass.warnings.note(code, field, value);
      this.pass.warnings.settle(undefined);
    },
  };

  constructor(
    private readonly pass: FeedPass,
    private readonly fetch: PagedFetch,
  ) {}

  /** The page that the format cuts: the answer, or what the connector composes with it. @throws FeedError */
  async page(request: SourceRequest): Promise<Spool> {
    const { session, request: feed } = this.pass;
    const answer = await this.send(request);
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

  private async send(request: SourceRequest): Promise<Spool> {
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
    const { session } = this.pass;
    const answer = await this.send(request);
    try {
      if (answer.sizeBytes > MAX_SECONDARY_ANSWER_BYTES) throw this.tooLarge(request);
      const text = (await answer.read(0, answer.sizeBytes)).toString('utf8').replace(/^\ufeff/, '');
      try {
        const parsed: unknown = JSON.parse(text);
        return parsed;
      } catch {
        // No `cause`: its message quotes the answer, which may hold a token.
        throw new BadFeed(`${session.show(request.url)} did not answer with JSON`);
      }
    } finally {
      await session.release(answer);
    }
  }

  private tooLarge({ url }: SourceRequest): BadFeed {
    return new BadFeed(`${this.pass.session.show(url)} answered with more bytes than expected`);
  }
}

async function* inOneChunk(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield await Promise.resolve(bytes);
}
