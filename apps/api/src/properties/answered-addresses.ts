import { Injectable } from '@nestjs/common';
import { ownText } from '@passerelle/domain';
import { LRUCache } from 'lru-cache';
import type { PageQuery } from './parameters';

/** An address of a page of a walk that a controller has answered, and what it asks for. */
export interface AnsweredAddress {
  query: PageQuery;
}

const MOST_ADDRESSES = 2_000;
const MOST_ADDRESS_CHARACTERS = 500;

/** What the addresses say that readers ask for again and again. */
@Injectable()
export class AnsweredAddresses {
  private readonly addresses = new LRUCache<string, AnsweredAddress>({ max: MOST_ADDRESSES });

  /** Takes note of an address that a controller has answered with a page. */
  learn(url: string, query: PageQuery): void {
    if (url.length > MOST_ADDRESS_CHARACTERS || this.addresses.has(url)) return;
    this.addresses.set(ownText(url), { query: { ...query, crm: ownText(query.crm), client: ownText(query.client) } });
  }

  find(url: string): AnsweredAddress | undefined {
    return this.addresses.get(url);
  }
}
