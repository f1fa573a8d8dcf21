import type { DutyCounts } from '@passerelle/domain';
import { Pool } from 'pg';
import { announcePublication, confirm, type SnapshotConfirmation, type Publication, publish } from './publish';
import { pruneSnapshots } from './prune';
import { type CurrentVersion, readTexts, readVersions, type StoredSnapshot, type VersionTexts } from './read-versions';
import { recount, rehash, type Rehashed } from './rehash';
import { SnapshotWriter } from './snapshot-writer';

/** Reads, builds, publishes and removes the snapshots of gateways. For the ingestor only. */
export class Snapshots {
  constructor(private readonly pool: Pool) {}

  writer(gatewayId: number, runId: number): SnapshotWriter {
    return new SnapshotWriter(this.pool, gatewayId, runId);
  }

  async readVersions(snapshot: StoredSnapshot, take: (version: CurrentVersion) => void): Promise<void> {
    await readVersions(this.pool, snapshot, take);
  }

  async readTexts(gatewayId: number, versionIds: readonly number[]): Promise<ReadonlyMap<number, VersionTexts>> {
    return readTexts(this.pool, gatewayId, versionIds);
  }

  async rehash(gatewayId: number, versions: readonly Rehashed[]): Promise<void> {
    await rehash(this.pool, gatewayId, versions);
  }

  async recount(snapshot: StoredSnapshot, duties: DutyCounts): Promise<void> {
    await recount(this.pool, snapshot, duties);
  }

  /** Call this just before a `publish` that replaces a list. */
  async announce(gatewayId: number): Promise<void> {
    await announcePublication(this.pool, gatewayId);
  }

  /** @throws PublishRefused, RunCancelled */
  async publish(publication: Publication): Promise<void> {
    await publish(this.pool, publication);
  }

  /** @throws PublishRefused, RunCancelled */
  async confirm(confirmation: SnapshotConfirmation): Promise<void> {
    await confirm(this.pool, confirmation);
  }

  async prune(gatewayId: number): Promise<number> {
    return pruneSnapshots(this.pool, gatewayId);
  }
}
