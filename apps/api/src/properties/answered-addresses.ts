import { Injectable } from '@nestjs/common';
import { ownText } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import type { PageQuery } from './parameters';

/** The address of a page that a controller has answered, and its parsed query. */
export interface AnsweredAddress {
  query: PageQuery;
}

const MOST_ADDRESSES = 2_000;
const MOST_ADDRESS_CHARACTERS = 500;

/** The parsed queries of addresses that readers request again and again. */
@Injectable()
export class AnsweredAddresses {
  private readonly addresses = new LRUCache<string, AnsweredAddress>({ max: MOST_ADDRESSES });

  /** Stores an address that a controller has answered with a page. */
  learn(url: string, query: PageQuery): void {
    if (url.length > MOST_ADDRESS_CHARACTERS || this.addresses.has(url)) return;
    this.addresses.set(ownText(url), { query: { ...query, crm: ownText(query.crm), client: ownText(query.client) } });
  }

  find(url: string): AnsweredAddress | undefined {
    return this.addresses.get(url);
  }
}
