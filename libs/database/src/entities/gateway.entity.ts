import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  Unique,
} from 'typeorm';
import type { KeyScope, NotifiedState } from '@passerelle/domain';
import type { Timestamp } from '../connection-settings';
import { SnapshotEntity } from './snapshot.entity';

/** One client of one connector. */
@Entity('gateway')
@Unique('gateway_crm_client_key', ['crm', 'client'])
@Check('gateway_every_seconds_check', 'every_seconds > 0')
export class GatewayEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' }) id!: number;
  @Column('text') crm!: string;
  @Column('text') client!: string;
  @Column('text', { name: 'source_url' }) sourceUrl!: string;
  @Column('jsonb', { default: {} }) settings!: Record<string, string>;
  /** Sealed JSON of name → value; null when the source needs none. */
  @Column('bytea', { nullable: true }) credentials!: Buffer | null;
  /** Sealed address, and settings that are addresses. If set, `sourceUrl` and `settings` are only for display. */
  @Column('bytea', { name: 'sealed_source', nullable: true }) sealedSource!: Buffer | null;
  @Column('boolean', { default: true }) enabled!: boolean;
  /** `YYYY-MM-DD`. */
  @Column('date', { name: 'contract_end', nullable: true }) contractEnd!: string | null;
  @Column('integer', { name: 'every_seconds', nullable: true }) everySeconds!: number | null;
  @Column('bigint', { name: 'current_snapshot_id', nullable: true }) currentSnapshotId!: number | null;
  @Column('timestamptz', { name: 'confirmed_at', nullable: true }) confirmedAt!: Timestamp | null;
  @Column('jsonb', { name: 'feed_memory', default: {} }) feedMemory!: object;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt!: Timestamp;

  // The schema has no foreign key here, because snapshot already refers to gateway.
  @ManyToOne(() => SnapshotEntity, { createForeignKeyConstraints: false, nullable: true })
  @JoinColumn({ name: 'current_snapshot_id', referencedColumnName: 'id' })
  currentSnapshot!: SnapshotEntity | null;

  @OneToMany(() => ApiKeyEntity, (key) => key.gateway) keys!: ApiKeyEntity[];
  @OneToOne(() => ScheduleEntity, (schedule) => schedule.gateway) schedule!: Relation<ScheduleEntity>;
}

@Entity('api_key')
@Check('api_key_scope', `scope IN ('read', 'report', 'both')`)
@Check('api_key_keyed', '(keyed_hash IS NULL) = (key_id IS NULL)')
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('identity', { generatedIdentity: 'ALWAYS' }) id!: number;
  @Index('api_key_gateway') @Column('integer', { name: 'gateway_id' }) gatewayId!: number;
  /** Hashed with the installation's own secret, for older releases. Random bytes when there is no such hash. */
  @Column('bytea') hash!: Buffer;
  /** Hashed with the secret that `keyId` names; both columns are null until this release uses or creates the key. */
  @Column('bytea', { name: 'keyed_hash', nullable: true }) keyedHash!: Buffer | null;
  @Column('text', { name: 'key_id', nullable: true }) keyId!: string | null;
  @Column('text') prefix!: string;
  @Column('timestamptz', { name: 'created_at', default: () => 'now()' }) createdAt!: Timestamp;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Timestamp | null;
  @Column('text', { default: 'both' }) scope!: KeyScope;
  /** Null: any network. */
  @Column('text', { array: true, nullable: true }) networks!: string[] | null;
  /** `YYYY-MM-DD`, in UTC. */
  @Column('date', { name: 'last_used_on', nullable: true }) lastUsedOn!: string | null;

  @ManyToOne(() => GatewayEntity, (gateway) => gateway.keys, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'gateway_id', foreignKeyConstraintName: 'api_key_gateway_id_fkey' })
  gateway!: GatewayEntity;
}

/** Separate from gateway, because every run changes this row, and the API needs no notification of that change. */
@Entity('gateway_schedule')
@Check('gateway_schedule_told_state', `told_state IN ('stale', 'held', 'failing')`)
export class ScheduleEntity {
  @PrimaryColumn('integer', { name: 'gateway_id' }) gatewayId!: number;
  @Index('gateway_schedule_due')
  @Column('timestamptz', { name: 'next_run_at', default: () => 'now()' })
  nextRunAt!: Timestamp;
  @Column('integer', { name: 'missed_runs', default: 0 }) missedRuns!: number;
  /** Consecutive failures. */
  @Column('integer', { default: 0 }) failures!: number;
  @Column('timestamptz', { name: 'failing_since', nullable: true }) failingSince!: Timestamp | null;

  /** Unchanged runs since the last cleaning. The count is approximate, but missed runs are found within a day. */
  @Column('integer', { name: 'unfolded_runs', default: 0 }) unfoldedRuns!: number;
  /** The number of the newest folded run: all unchanged runs up to this number are folded. */
  @Column('bigint', { name: 'folded_to', default: 0 }) foldedTo!: number;
  /** The feed's state in the last notification to sites; null when all was well. */
  @Column('text', { name: 'told_state', nullable: true }) notifiedState!: NotifiedState;
  /** The latest time of the next check of the gateway's run history. */
  @Column('timestamptz', { name: 'clean_at', default: () => "'-infinity'" }) cleanAt!: Timestamp;
  /** When the listings are mapped again from their stored records; null when this is not planned. */
  @Index('gateway_schedule_remap', { where: 'remap_at IS NOT NULL' })
  @Column('timestamptz', { name: 'remap_at', nullable: true })
  remapAt!: Timestamp | null;

  @OneToOne(() => GatewayEntity, (gateway) => gateway.schedule, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'gateway_id', foreignKeyConstraintName: 'gateway_schedule_gateway_id_fkey' })
  gateway!: GatewayEntity;
}
