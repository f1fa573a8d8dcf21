import { noFigures, type RunFigures } from '@passerelle/domain';
import { Pool } from 'pg';
import { inBatches } from '../batches';
import { type ListingChange, SnapshotWriter } from './snapshot-writer';

/** The requested snapshot cannot be published again. The message is a sentence for an operator. */
export class RevertRefused extends Error {
  override readonly name = 'RevertRefused';
}

export interface RevertingRun {
  id: number;
  gatewayId: number;
  /** The token of the kept snapshot. */
  revertTo: string;
}

/** A new, unpublished snapshot with the content of a kept one. */
export interface RevertedSnapshot {
  snapshotId: number;
  baseSnapshotId: number;
  figures: RunFigures;
  abandon(): Promise<void>;
}

const VERSIONS_AT_A_TIME = 500;

interface Listed {
  id: number;
  affId: string;
  contentHash: string;
}

/** Builds snapshots with the content of kept ones. For the ingestor only, under the gateway's lease. */
export class Reverts {
  constructor(private readonly pool: Pool) {}

  /** Copies old versions, because pruning expects no snapshot to use a replaced version again. @throws RevertRefused */
  async build({ id: runId, gatewayId, revertTo }: RevertingRun): Promise<RevertedSnapshot> {
    const { id, duties, baseSnapshotId } = await this.find(gatewayId, revertTo);
    const [target, current] = [await this.list(gatewayId, id), await this.list(gatewayId, baseSnapshotId)];
    const writer = new SnapshotWriter(this.pool, gatewayId, runId);
    try {
      const nowByAffId = new Map(current.map((listed) => [listed.affId, listed]));
      const isSame = ({ affId, contentHash }: Listed): boolean => nowByAffId.get(affId)?.contentHash === contentHash;
      const copies = new Map<string, number>();
      for (const some of inBatches(
        target.filter((listed) => !isSame(listed)),
        VERSIONS_AT_A_TIME,
      )) {
        const ids = await writer.copyVersions(some.map((listed) => listed.id));
        some.forEach(({ affId }, index) => copies.set(affId, ids[index]!));
      }
      const versionIds = target.map(({ affId }) => copies.get(affId) ?? nowByAffId.get(affId)!.id);
      const changes = [...changesBetween(target, nowByAffId, copies)];
      const snapshotId = await writer.finish(versionIds, changes, duties);
      const count = (kind: ListingChange['kind']): number => changes.filter((change) => change.kind === kind).length;
      const figures = {
        ...{ ...noFigures(), added: count('added'), changed: count('changed'), removed: count('removed') },
        unchanged: target.length - copies.size,
      };
      return { snapshotId, baseSnapshotId, figures, abandon: () => writer.abandon() };
    } catch (error) {
      await writer.abandon().catch(() => undefined);
      throw error;
    }
  }

  private async find(
    gatewayId: number,
    token: string,
  ): Promise<{ id: number; duties: Record<string, number>; baseSnapshotId: number }> {
    const { rows } = await this.pool.query<{
      id: number;
      duties: Record<string, number>;
      isReadable: boolean;
      baseSnapshotId: number | null;
    }>(
      `SELECT s.id, s.duties, s.pruned_at IS NULL AS "isReadable", g.current_snapshot_id AS "baseSnapshotId"
       FROM snapshot s JOIN gateway g ON g.id = s.gateway_id
       WHERE s.gateway_id = $1 AND s.token = $2 AND s.published_at IS NOT NULL`,
      [gatewayId, token],
    );
    const [found] = rows;
    if (found === undefined || found.baseSnapshotId === null)
      throw new RevertRefused(`the gateway has no snapshot ${token}`);
    const { id, duties, isReadable, baseSnapshotId } = found;
    if (!isReadable) throw new RevertRefused(`the listings of the snapshot ${token} are no longer kept`);
    if (id === baseSnapshotId) throw new RevertRefused(`the snapshot ${token} is already served`);
    return { id, duties, baseSnapshotId };
  }

  private async list(gatewayId: number, snapshotId: number): Promise<Listed[]> {
    const { rows } = await this.pool.query<Listed>(
      `SELECT v.id, v.aff_id AS "affId", v.content_hash AS "contentHash"
       FROM snapshot_chunk c CROSS JOIN LATERAL unnest(c.version_ids) WITH ORDINALITY AS u (version_id, place)
       JOIN listing_version v ON v.gateway_id = $1 AND v.id = u.version_id
       WHERE c.gateway_id = $1 AND c.snapshot_id = $2 ORDER BY c.chunk, u.place`,
      [gatewayId, snapshotId],
    );
    return rows;
  }
}

function* changesBetween(
  target: readonly Listed[],
  now: ReadonlyMap<string, Listed>,
  copies: ReadonlyMap<string, number>,
): Generator<ListingChange> {
  for (const { affId } of target) {
    const versionId = copies.get(affId);
    if (versionId === undefined) continue;
    const previous = now.get(affId);
    yield previous === undefined
      ? { kind: 'added', affId, versionId, previousVersionId: null, reason: null }
      : { kind: 'changed', affId, versionId, previousVersionId: previous.id, reason: null };
  }
  const isBack = new Set(target.map(({ affId }) => affId));
  for (const { affId, id } of now.values()) {
    if (isBack.has(affId)) continue;
    yield { kind: 'removed', affId, versionId: null, previousVersionId: id, reason: 'absent' };
  }
}
