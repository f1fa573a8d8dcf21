import type { GateReason, RejectionCode, RunDifference, RunState, RunTrigger, WarningCode } from '@passerelle/domain';
import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Timestamp } from '../connection-settings';
import { GatewayEntity } from './gateway.entity';

/** One ingestion of one gateway. */
@Entity('run')
@Index('run_of_gateway', ['gatewayId', 'id'])
@Index('run_queued_once', ['gatewayId', 'dryRun'], { unique: true, where: `state = 'queued'` })
@Index('run_waiting', ['gatewayId'], { where: `state IN ('queued', 'running')` })
// This index has an expression, which the decorator cannot express.
@Index('run_to_announce', { synchronize: false })
@Index('run_held', ['gatewayId'], { where: `state = 'held'` })
@Index('run_reading', { synchronize: false })
@Index('run_rare_state', ['state', 'id'], { where: `state IN ('failed', 'cancelled', 'discarded', 'held')` })
export class RunEntity {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id!: number;
  @Column('integer', { name: 'gateway_id' }) gatewayId!: number;
  @Column('text') trigger!: RunTrigger;
  @Column('text', { default: 'queued' }) state!: RunState;
  @Column('boolean', { name: 'dry_run', default: false }) dryRun!: boolean;
  @Column('boolean', { default: false }) forced!: boolean;
  @Column('timestamptz', { name: 'requested_at', default: () => 'now()' }) requestedAt!: Timestamp;
  @Column('timestamptz', { name: 'started_at', nullable: true }) startedAt!: Timestamp | null;
  @Column('timestamptz', { name: 'ended_at', nullable: true }) endedAt!: Timestamp | null;
  @Column('integer', { default: 0 }) attempts!: number;
  @Column('bigint', { nullable: true }) fence!: number | null;
  @Column('boolean', { name: 'cancel_requested', default: false }) cancelRequested!: boolean;
  @Column('bigint', { name: 'fetched_bytes', default: 0 }) fetchedBytes!: number;
  @Column('integer', { default: 0 }) records!: number;
  @Column('integer', { default: 0 }) added!: number;
  @Column('integer', { default: 0 }) changed!: number;
  @Column('integer', { default: 0 }) unchanged!: number;
  @Column('integer', { default: 0 }) removed!: number;
  @Column('integer', { default: 0 }) rejected!: number;
  @Column('integer', { default: 0 }) warnings!: number;
  /** The snapshot that the run published or holds back. */
  @Column('bigint', { name: 'snapshot_id', nullable: true }) snapshotId!: number | null;
  /** The snapshot that the run is compared with. */
  @Column('bigint', { name: 'base_snapshot_id', nullable: true }) baseSnapshotId!: number | null;
  @Column('jsonb', { name: 'feed_memory', default: {} }) feedMemory!: object;
  @Column('text', { name: 'reason_code', nullable: true }) reasonCode!: string | null;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('jsonb', { nullable: true }) verdict!: GateReason[] | null;
  @Column('text', { name: 'decided_by', nullable: true }) decidedBy!: string | null;
  @Column('timestamptz', { name: 'decided_at', nullable: true }) decidedAt!: Timestamp | null;
  @Column('text', { name: 'decision_reason', nullable: true }) decisionReason!: string | null;
  /** When the first of the runs that repeat a held list was held; null for a run that was not held. */
  @Column('timestamptz', { name: 'held_since', nullable: true }) heldSince!: Timestamp | null;
  /** The id of the first request for the run. */
  @Column('text', { name: 'request_id', nullable: true }) requestId!: string | null;
  /** `reader`, or the operator's name; null for the schedule. */
  @Column('text', { name: 'asked_by', nullable: true }) askedBy!: string | null;
  /** Until this time no dispatcher adds the run to the queue, because it is already there. */
  @Column('timestamptz', { name: 'announced_until', default: () => "'-infinity'" }) announcedUntil!: Timestamp;
  /** The run's position among the waiting runs, smaller is earlier; null until it is added to the queue. */
  @Column('integer', { nullable: true }) turn!: number | null;
  /** The ingestor that last claimed the run, as its log names it; null before the first claim. */
  @Column('text', { nullable: true }) worker!: string | null;
  /** How many unchanged runs of its day this row represents, including itself; null when it represents only itself. */
  @Column('integer', { name: 'folded_runs', nullable: true }) foldedRuns!: number | null;
  /** When the first of the represented runs started. */
  @Column('timestamptz', { name: 'folded_since', nullable: true }) foldedSince!: Timestamp | null;
  /** Only for a dry run. */
  @Column('jsonb', { nullable: true }) difference!: RunDifference | null;
  /** The `affId`s of listings that kept their last published version; null for none. */
  @Column('text', { array: true, nullable: true }) kept!: string[] | null;
  /** Only for a revert: the token of the snapshot to go back to. */
  @Column('text', { name: 'revert_to', nullable: true }) revertTo!: string | null;
  @Column('text', { name: 'revert_reason', nullable: true }) revertReason!: string | null;

  @ManyToOne(() => GatewayEntity, { onDelete: 'CASCADE', nullable: false })
  @JoinColumn({ name: 'gateway_id', foreignKeyConstraintName: 'run_gateway_id_fkey' })
  gateway!: GatewayEntity;
}

/** A record that did not become a listing. */
@Entity('rejection')
@Index('rejection_of_run', ['runId', 'position'])
@Index('rejection_of_record_start', { synchronize: false })
export class RejectionEntity {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id!: number;
  @Column('bigint', { name: 'run_id' })
  runId!: number;
  @Column('integer') position!: number;
  @Column('text', { name: 'record_id', nullable: true }) recordId!: string | null;
  @Column('text', { nullable: true }) field!: string | null;
  @Column('text') code!: RejectionCode;
  @Column('text') message!: string;
  @Column('text', { nullable: true }) excerpt!: string | null;
}

@Entity('run_warning')
export class RunWarningEntity {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id!: number;
  @Index('run_warning_of_run')
  @Column('bigint', { name: 'run_id' })
  runId!: number;
  @Column('text') code!: WarningCode;
  @Column('text') field!: string;
  @Column('text') value!: string;
  @Column('integer') count!: number;
  @Column('text', { array: true }) examples!: string[];
}
