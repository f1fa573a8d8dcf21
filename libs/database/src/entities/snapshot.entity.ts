import type { DutyCounts } from '@passerelle/domain';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Timestamp } from '../connection-settings';

/** 22 URL-safe characters, 122 random bits. */
const TOKEN = `translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_')`;

/** The head of a snapshot; the ORM does not know the tables of its listings. */
@Entity('snapshot')
@Index('snapshot_of_gateway', ['gatewayId', 'id'])
@Index('snapshot_token', ['gatewayId', 'token'], { unique: true })
@Index('snapshot_readable', ['gatewayId', 'id'], { where: 'pruned_at IS NULL' })
@Index('snapshot_pruned', ['prunedAt'], { where: 'pruned_at IS NOT NULL' })
export class SnapshotEntity {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id!: number;
  // Refer to the entity by name, because gateway.entity.ts imports this file.
  @ForeignKey('GatewayEntity', { name: 'snapshot_gateway_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('integer', { name: 'gateway_id' })
  gatewayId!: number;
  @Column('bigint', { name: 'run_id' }) runId!: number;
  @Column('integer', { default: 0 }) total!: number;
  /** Always empty now: earlier releases stored counts here. */
  @Column('jsonb', { default: {} }) fill!: object;
  @Column('jsonb', { default: {} }) duties!: DutyCounts;
  @Column('timestamptz', { name: 'built_at', default: () => 'now()' }) builtAt!: Timestamp;
  @Column('timestamptz', { name: 'published_at', nullable: true }) publishedAt!: Timestamp | null;
  @Column('text', { default: () => TOKEN }) token!: string;
  @Column('boolean', { default: false }) approved!: boolean;
  /** Equal lists of one gateway have equal sums; null for snapshots of earlier releases. */
  @Column('numeric', { name: 'content_sum', nullable: true }) contentSum!: string | null;
  @Column('integer', { default: 0 }) returns!: number;
  @Column('timestamptz', { name: 'confirmed_at', nullable: true }) confirmedAt!: Timestamp | null;
  @Column('timestamptz', { name: 'pruned_at', nullable: true }) prunedAt!: Timestamp | null;
}
