import type { SeededGateway } from '../../medium/api/api-under-test';
import { seeded } from '../seeded';
import type { Exchange, HostileRequest } from './exchange';
import { last } from './rows';

const PATHS = [
  ...[
    '/v1/properties',
    '/v1/properties',
    '/v1/properties/L-1',
    '/v1/properties/L-1/history',
    '/v1/manifest',
    '/v1/changes',
  ],
  ...[
    '/v1/status',
    '/v1/report',
    '/v1',
    '/',
    '/v1/connectors',
    '/v1/export/x',
    '/media/x.jpg',
    '/openapi.json',
    '/nope',
  ],
  ...[
    '/metrics',
    '/health/live',
    '/.well-known/security.txt',
    '//v1/properties',
    '/v1/properties/',
    '/v1/properties/%00',
  ],
];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'];
const NAMES = [
  'page',
  'per_page',
  'format',
  'snapshot',
  'ids',
  'since',
  'crm',
  'client',
  'w',
  'variable1',
  'key',
  '__proto__',
];
const VALUES = [
  ...['', '0', '1', '-1', '1e3', '99999999999999999999', '1.5', 'raw', 'normalized', 'NaN', 'null', 'true', '%00', '%'],
  ...[
    '%zz',
    '%C3%28',
    '%F0%9F%8F%A0',
    "'%3B--",
    '..%2F..%2Fetc',
    '<script>',
    'L-1,L-2',
    'L%2C1',
    'constructor',
    '[]',
    '{}',
  ],
  ...['x'.repeat(3_000), ','.repeat(500), '%E2%80%AE', '%E9', 'kyero'],
];
const HEADERS = [
  ...[
    'Accept-Encoding: gzip',
    'Accept-Encoding: gzip;q=0, *',
    'Accept-Encoding: \xff',
    'If-None-Match: *',
    'If-None-Match: W/"',
    'Range: bytes=-1',
  ],
  ...[
    'Accept: text/html',
    'X-Forwarded-For: ::1, x',
    'X-Forwarded-Proto: https',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'Content-Language: x',
  ],
  ...[
    `Cookie: ${'c'.repeat(4_000)}`,
    'X-HTTP-Method-Override: DELETE',
    'Authorization: Basic eDp5',
    'User-Agent:',
    'Content-Type: text/plain',
  ],
];
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"crm":',
  '{"crm":"kyero","client":1}',
  '{"__proto__":{"a":1}}',
  '\xff\xfe',
  '"x"',
  '[[[[[[[[',
];
/** Statuses that mean that the server correctly rejects the request. */
const REFUSALS = [400, 401, 403, 404, 405, 406, 413, 414, 415, 416, 431];
/** Matches paths whose answers change over time. */
const UNSTEADY = /report|history|changes|status|health/;

/** Requests that are valid HTTP, with unusual values in every part. The same seed gives the same requests. */
export class FuzzedCalls {
  private readonly random: (below: number) => number;
  private made = 0;

  constructor(
    private readonly gateways: readonly SeededGateway[],
    seed: number,
  ) {
    this.random = seeded(seed);
  }

  /** How many were made. */
  get count(): number {
    return this.made;
  }

  next(): Exchange {
    const calls = Array.from({ length: 1 + this.random(9) }, () => this.call());
    const requests = calls.map((call, at) => (at === calls.length - 1 ? last(call) : call));
    return { requests, isPaced: false, garbage: '', cuts: [], leavesAfter: null };
  }

  private call(): HostileRequest {
    this.made += 1;
    const gateway = this.random(this.gateways.length);
    const { query = '', key = '' } = this.gateways[gateway] ?? {};
    const method = this.oneOf(METHODS);
    const path = `${this.oneOf(PATHS)}?${[query, ...this.some(3, () => `${this.oneOf(NAMES)}=${this.oneOf(VALUES)}`)].join('&')}`;
    const presented = this.oneOf([key, key, key, '', 'wrong', 'k'.repeat(2_000)]);
    const headers = this.some(3, () => this.oneOf(HEADERS));
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? this.oneOf(BODIES) : '';
    const described = hasBody ? [`Content-Type: application/json`, `Content-Length: ${body.length}`] : [];
    const kept = headers.filter((header) => !hasBody || !header.startsWith('Content-Type'));
    const id = `fuzzed-${String(this.made).padStart(8, '0')}`;
    const lines = ['Host: x', `X-Request-Id: ${id}`, `Key: ${presented}`, ...kept, ...described];
    return {
      method,
      text: `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
      id,
      question: UNSTEADY.test(path) ? null : [method, path, presented, ...kept, body].join('\n'),
      gateway: presented === key ? gateway : null,
      may: [200, 206, 302, 304, ...REFUSALS],
    };
  }

  private some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.random(most + 1) }, make);
  }

  private oneOf<T>(choices: readonly T[]): T {
    return choices[this.random(choices.length)] as T;
  }
}
