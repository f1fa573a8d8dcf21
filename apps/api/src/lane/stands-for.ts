/**
 * What a page goes through on the way of Nest, and the lane goes around; it does the same itself. A test compares this with
 * what the route really has: when you add a guard or a hook, decide here whether the lane has to know of it.
 */
export const STANDS_FOR = {
  /** `access/gateway.guard.ts`: the parameters, the rate limit, the key. */
  guards: ['GatewayGuard'],
  pipes: [],
  interceptors: [],
  /** Of the whole application. */
  globals: [],
  /** Of Fastify, in their order. */
  hooks: {
    /** What has no route or no Host or no TLS is refused; the headers of every answer; count and line of the answer. */
    onRequest: ['refuseAtOnce', 'beginAnswer'],
    /** Of requests with a body, which the lane leaves. */
    preParsing: ['watchBody'],
    /** Compression, and 304: of pages the sender does both. */
    onSend: ['toEncoded'],
  },
} as const;
