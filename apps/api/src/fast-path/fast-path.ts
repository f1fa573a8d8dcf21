import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { RateLimit } from '../access/rate-limit';
import type { ApiConfig } from '../config';
import { Proxies } from '../http/proxies';
import { faultOf, toRequestId } from '../http/request-head';
import { Answers } from '../metrics/answers';
import { PageSender } from '../properties/page-sender';
import { RememberedPages } from '../properties/remembered-pages';
import { CONFIG } from '../tokens';

/**
 * Answers requests before Fastify and Nest with the same bytes, and never refuses a request
 * (docs/decisions/0010-the-fast-path.md). test/medium/api/fast-path.spec.ts lists the bypassed guards and hooks.
 */
@Injectable()
export class FastPath {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ApiConfig, 'requireHttps'>,
    private readonly proxies: Proxies,
    private readonly rateLimit: RateLimit,
    private readonly memory: RememberedPages,
    private readonly sender: PageSender,
    private readonly answers: Answers,
  ) {}

  /** @returns whether it has answered the request, or has begun to. */
  tryAnswer(request: IncomingMessage, response: ServerResponse): boolean {
    // An error thrown from here would end the process.
    try {
      return this.answer(request, response);
    } catch {
      // The guard or the controller will meet the same error, and will send it.
      if (response.headersSent) response.destroy();
      return response.headersSent;
    }
  }

  private answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { headers } = request;
    if (!this.memory.knows(request) || this.rateLimit.isShared || this.needsNest(request)) return false;
    const start = this.answers.begin(request.socket);
    const id = toRequestId(headers['x-request-id']);
    const found = this.memory.find(request, id);
    if (found === null) return false;
    // The guard counts a refused request again, which is one count too many.
    const answerHeaders = this.rateLimit.takeHere(found.count, response);
    this.memory.noteHit();
    const { page, snapshot, known } = found;
    response.once('close', () => {
      const cache = snapshot.cache === 'HIT' ? 'hit' : 'miss';
      this.answers.end(response, { id, logged: () => known.logged, route: known.route, cache, start });
    });
    this.sender.send({ id, headers, response, answerHeaders }, page, snapshot);
    return true;
  }

  /** Whether Nest must handle the request, because a hook or the body parser may refuse it. */
  private needsNest(request: IncomingMessage): boolean {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (faultOf(request) !== null || coding !== undefined || (length !== undefined && length !== '0')) return true;
    return this.config.requireHttps && !this.proxies.isSecure(request);
  }
}
