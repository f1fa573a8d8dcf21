import type { SeededGateway } from '../../medium/api/api-under-test';
import { seeded } from '../seeded';
import type { Exchange, HostileRequest } from './exchange';

/** The number of listings in each publication of each gateway. */
const LISTINGS = 23;
const PER_PAGE = 5;
const MOST_IN_A_ROW = 8;
const GARBAGE = [
  'GARBAGE',
  'BREW /v1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /v1 HTTP/1.1\r\nHo st: x\r\n\r\n',
  '\x16\x03\x01',
];

/**
 * Rows of requests that an API might confuse: for different gateways and endpoints, with valid and wrong keys, in one
 * packet or many. A row may break off, or end with garbage. The same seed gives the same rows.
 */
export class HostileRows {
  private readonly random: (below: number) => number;
  private made = 0;

  constructor(
    private readonly gateways: readonly SeededGateway[],
    seed: number,
  ) {
    this.random = seeded(seed);
  }

  /** The number of requests so far. */
  get count(): number {
    return this.made;
  }

  next(): Exchange {
    const { random } = this;
    if (random(4) === 0) {
      return { requests: this.walk().map(last), isPaced: true, garbage: '', cuts: [], leavesAfter: null };
    }
    const hasGarbage = random(6) === 0;
    const row = Array.from({ length: 1 + random(MOST_IN_A_ROW) }, () => this.any());
    const requests = hasGarbage ? row : row.map((request, at) => (at === row.length - 1 ? last(request) : request));
    const garbage = hasGarbage ? this.oneOf(GARBAGE) : '';
    const bytes = requests.reduce((sum, { text }) => sum + text.length, garbage.length);
    const cuts = Array.from({ length: random(3) === 0 ? random(6) : 0 }, () => 1 + random(bytes - 1)).sort(
      (a, b) => a - b,
    );
    return { requests, isPaced: false, garbage, cuts, leavesAfter: random(15) === 0 ? 1 + random(bytes) : null };
  }

  /** Requests for all pages of a list in order, by a reader that makes no other request. */
  private walk(): HostileRequest[] {
    const gateway = this.random(this.gateways.length);
    const reader = `User-Agent: walker-${this.made}\r\n`;
    const format = this.oneOf(['normalized', 'raw']);
    return Array.from({ length: Math.ceil(LISTINGS / PER_PAGE) }, (_, index) => {
      const page = index + 1;
      const path = `/v1/properties?${this.query(gateway)}&per_page=${PER_PAGE}&page=${page}&format=${format}`;
      return { ...this.request({ path, gateway, headers: reader }), page };
    });
  }

  private any(): HostileRequest {
    const gateway = this.random(this.gateways.length);
    const query = this.query(gateway);
    const id = `L-${1 + this.random(LISTINGS)}`;
    const page = 1 + this.random(6);
    const gzip = this.random(3) === 0 ? 'Accept-Encoding: gzip\r\n' : '';
    const pages = `/v1/properties?${query}&per_page=${PER_PAGE}&page=${page}`;
    switch (this.random(14)) {
      case 0:
        return this.request({ path: `/v1/properties/${id}?${query}`, gateway });
      case 1:
        return this.request({ path: `/v1/manifest?${query}`, gateway, headers: gzip });
      case 2:
        return this.request({ path: `/v1/properties?${query}&ids=${id},L-1`, gateway, headers: gzip });
      case 3:
        return this.request({ path: this.dumpOf(gateway), gateway });
      case 4:
        return this.request({ path: `/v1/feed?${query}`, gateway, isSteady: false });
      case 5:
        return this.report(gateway);
      case 6:
        return this.request({ path: pages, gateway: null, key: 'wrong', may: [401] });
      case 7:
        // One gateway's key with another gateway's name.
        return this.request({ path: pages, gateway: null, key: this.keyOf(gateway + 1), may: [401] });
      case 8:
        return this.request({ path: `${pages}&page=x`, gateway, may: [400] });
      case 9:
        return this.request({ method: 'HEAD', path: pages, gateway, headers: gzip });
      case 10:
        return this.request({ path: pages, gateway, headers: 'If-None-Match: *\r\n', may: [304] });
      default:
        return this.request({ path: pages, gateway, headers: gzip });
    }
  }

  private report(gateway: number): HostileRequest {
    const { crm = '', client = '' } = this.gateways[gateway] ?? {};
    const body = JSON.stringify({ crm, client, status: 'success', added: this.random(9) });
    const headers = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    const request = this.request({ method: 'POST', path: '/v1/report', gateway, headers, isSteady: false });
    return { ...request, text: request.text + body };
  }

  private request({
    method = 'GET',
    path,
    gateway,
    key = gateway === null ? '' : this.keyOf(gateway),
    headers = '',
    may = [200],
    isSteady = true,
  }: {
    method?: string;
    path: string;
    gateway: number | null;
    key?: string;
    headers?: string;
    may?: readonly number[];
    isSteady?: boolean;
  }): HostileRequest {
    this.made += 1;
    const id = `request-${String(this.made).padStart(7, '0')}`;
    const text = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nKey: ${key}\r\n${headers}\r\n`;
    const asked = headers.replace(/User-Agent: .*\r\n/, '');
    return { method, text, id, question: isSteady ? `${method} ${path} ${key} ${asked}` : null, gateway, may };
  }

  private query(gateway: number): string {
    return this.gateways[gateway]?.query ?? '';
  }

  private keyOf(gateway: number): string {
    return this.gateways[gateway % this.gateways.length]?.key ?? '';
  }

  private dumpOf(gateway: number): string {
    const { crm = '', client = '' } = this.gateways[gateway] ?? {};
    return `/?variable1=${crm}&variable2=${client}`;
  }

  private oneOf<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    return choices[this.random(choices.length)] as T;
  }
}

/** Turns a request into the last request of its connection. */
export function last(request: HostileRequest): HostileRequest {
  const text = request.text.replace('\r\n', '\r\nConnection: close\r\n');
  // The answer to a last request has one more header, so it is compared separately.
  return { ...request, text, question: request.question === null ? null : `${request.question} close` };
}

/** The list of a gateway after its n-th publication: each listing contains the gateway and n. */
export function listOf(gateway: number, published: number): { affId: string; affNum: string; intitule: string }[] {
  return Array.from({ length: LISTINGS }, (_, n) => ({
    affId: `L-${n + 1}`,
    affNum: `list ${gateway}/${published}`,
    intitule: `list ${gateway}/${published} ${'é'.repeat(400)}`,
  }));
}
