import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ManifestLine, ServedListings } from '@passerelle/database';
import { weakTag } from '../http/entity-tag';
import { CachedBody } from '../http/cached-body';
import { PageCache } from '../properties/page-cache';
import type { ServedSnapshot } from '../properties/served-snapshots';

/** The lines of a snapshot's manifest as bytes, and the hash over them. */
class Manifest extends CachedBody {
  constructor(
    lines: readonly ManifestLine[],
    etag: string,
    /** SHA-256 over `affId TAB empreinte TAB photos LF`, in order; hexadecimal. */
    readonly hash = hashOf(lines),
  ) {
    super(Buffer.from(`"data":[${lines.map(toJson).join(',')}]}`), [], etag);
  }
}

/** The proofs that clients' copies of snapshots are complete, cached like pages. */
@Injectable()
export class Manifests {
  constructor(
    private readonly listings: ServedListings,
    private readonly cache: PageCache,
  ) {}

  async load(snapshot: ServedSnapshot, isGzip: boolean): Promise<Manifest> {
    const name = `manifest/${snapshot.gatewayId}/${snapshot.token}`;
    const kept = this.cache.get(name) ?? (await this.cache.load(name, () => this.make(snapshot)));
    if (!(kept instanceof Manifest)) throw new Error(`${name} is not a manifest`);
    if (isGzip && !kept.isReadyForGzip) {
      await kept.prepareGzip();
      this.cache.recount(name, kept);
    }
    return kept;
  }

  private async make(snapshot: ServedSnapshot): Promise<Manifest> {
    return new Manifest(await this.listings.manifest(snapshot), manifestTag(snapshot));
  }
}

/** Computed without the manifest, so that a reader that already has the manifest does not wait. */
export function manifestTag({ token }: ServedSnapshot): string {
  return weakTag(token, 'manifest');
}

function toJson([affId, empreinte, photos]: ManifestLine): string {
  return JSON.stringify(photos === null ? { affId, empreinte } : { affId, empreinte, photos });
}

function hashOf(lines: readonly ManifestLine[]): string {
  const hash = createHash('sha256');
  for (const [affId, empreinte, photos] of lines) hash.update(`${affId}\t${empreinte}\t${photos ?? ''}\n`);
  return hash.digest('hex');
}
