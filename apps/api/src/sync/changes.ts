import { Injectable } from '@nestjs/common';
import { KeptSnapshots, type NetChange, retryLostRead, SnapshotChanges } from '@passerelle/database';
import { ApiError } from '@passerelle/domain';
import type { AuthorizedGateway } from '../access/gateway-access';
import { weakTag } from '../http/entity-tag';
import { CachedBody } from '../http/cached-body';
import { expiredToken, type ServedSnapshot } from '../properties/served-snapshots';
import type { ChangesQuery } from './parameters';

/** Pages of changes between two snapshots, as bytes. */
@Injectable()
export class ChangePages {
  constructor(
    private readonly kept: KeptSnapshots,
    private readonly changes: SnapshotChanges,
  ) {}

  /** @throws ApiError BAD_REQUEST when `since` is unknown, or newer than the target snapshot. */
  async load({ gateway }: AuthorizedGateway, snapshot: ServedSnapshot, query: ChangesQuery): Promise<CachedBody> {
    const { crm, client, since, page, per_page, format } = query;
    const known = since === snapshot.token ? snapshot : await retryLostRead(() => this.kept.find(gateway.id, since));
    if (known === null) throw expiredToken('since', gateway.snapshot?.token ?? snapshot.token);
    if (known.id > snapshot.id) {
      throw new ApiError('BAD_REQUEST', 'The query parameter "since" names a newer snapshot than "snapshot".', {
        parameter: 'since',
        allowed: 'the token of an older snapshot',
      });
    }
    const range = { gatewayId: gateway.id, since: known.id, until: snapshot.id, token: snapshot.token, format };
    const counts = await this.changes.count(range);
    const total = counts.removed + counts.added + counts.changed;
    const offset = (page - 1) * per_page;
    const found = offset < total ? await this.changes.page(range, offset, per_page) : [];
    const pages = { page, per_page, total, total_pages: Math.ceil(total / per_page), crm, client };
    const meta = { ...pages, since, snapshot: snapshot.token, ...counts };
    const body = `"data":[${found.map(toJson).join(',')}],"meta":${JSON.stringify(meta)}}`;
    const etag = weakTag(snapshot.token, 'since', known.token, format, per_page, page);
    return new CachedBody(Buffer.from(body), [], etag);
  }
}

/** The stored listing is sent unchanged. */
function toJson({ property, ...change }: NetChange): string {
  const text = JSON.stringify(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)));
  return property === null ? text : `${text.slice(0, -1)},"property":${property}}`;
}
