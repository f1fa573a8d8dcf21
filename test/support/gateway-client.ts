import type { Listing } from '@passerelle/domain';
import { Contract } from './contract';

export interface GatewayAccess {
  crm: string;
  client: string;
  key: string;
}

export interface Page<T> {
  status: 'success';
  data: T[];
  meta: { page: number; per_page: number; total: number; total_pages: number; crm: string; client: string };
  request_id: string;
}

/** Reads one gateway as a CMS plugin does, and compares every answer with the API's openapi.json. */
export class GatewayClient {
  private contract: Promise<Contract> | null = null;

  constructor(
    readonly apiUrl: string,
    readonly access: GatewayAccess,
  ) {}

  async get(path: string, parameters: Record<string, string> = {}): Promise<Response> {
    const { crm, client, key } = this.access;
    const query = new URLSearchParams({ crm, client, ...parameters });
    return this.ask(`${path}?${query.toString()}`, key);
  }

  /** @throws Error if the answer does not match openapi.json */
  private async ask(path: string, key: string): Promise<Response> {
    this.contract ??= this.loadContract();
    const contract = await this.contract;
    const response = await fetch(this.apiUrl + path, { headers: { Key: key } });
    const text = await response.clone().text();
    contract.check('GET', path, {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: undefined,
    });
    return response;
  }

  private async loadContract(): Promise<Contract> {
    const response = await fetch(`${this.apiUrl}/openapi.json`);
    return new Contract((await response.json()) as ConstructorParameters<typeof Contract>[0]);
  }

  /** Reads all listings, page by page. */
  async readAll<T = Listing>(format: 'normalized' | 'raw', perPage = 50): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; ; page += 1) {
      const response = await this.get('/v1/properties', { format, page: String(page), per_page: String(perPage) });
      if (response.status !== 200) throw new Error(`page ${page}: ${response.status} ${await response.text()}`);
      const { data, meta } = (await response.json()) as Page<T>;
      all.push(...data);
      if (page >= meta.total_pages) return all;
    }
  }

  /** The text of all pages in both formats, without the request ids. */
  async readBytes(): Promise<string> {
    const pages: string[] = [];
    for (const format of ['normalized', 'raw']) {
      for (let page = 1, last = 1; page <= last; page += 1) {
        const response = await this.get('/v1/properties', { format, page: String(page), per_page: '100' });
        const text = await response.text();
        last = (JSON.parse(text) as Page<unknown>).meta.total_pages;
        pages.push(text.replace(/,"request_id":"[^"]*"/, ''));
      }
    }
    return pages.join('\n');
  }

  async readCacheHeader(): Promise<string | null> {
    const response = await this.get('/v1/properties', { per_page: '1' });
    await response.arrayBuffer();
    return response.headers.get('x-cache');
  }

  /** Reads the historic dump: all listings in one answer. */
  async readDump(): Promise<string> {
    const { crm, client, key } = this.access;
    const query = new URLSearchParams({ variable1: crm, variable2: client });
    const response = await this.ask(`/?${query.toString()}`, key);
    if (response.status !== 200) throw new Error(`dump: ${response.status} ${await response.text()}`);
    return response.text();
  }
}
