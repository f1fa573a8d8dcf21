import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Timestamp } from '../connection-settings';
import { GatewayEntity } from './gateway.entity';

/** A listing that a site could not import. */
export interface FailedListing {
  affId: string;
  reason?: string | undefined;
}

/** A content-management plugin's report about its import. */
@Entity('report')
@Index('report_of_gateway', ['gatewayId', 'id'])
@Index('report_site', ['gatewayId', 'id'], { where: 'site_url IS NOT NULL' })
@Check('report_status_check', `status IN ('success', 'error')`)
export class ReportEntity {
  @PrimaryColumn('bigint', { generated: 'identity', generatedIdentity: 'ALWAYS' }) id!: number;
  @ForeignKey(() => GatewayEntity, { name: 'report_gateway_id_fkey', onDelete: 'CASCADE' })
  @Column('integer', { name: 'gateway_id' })
  gatewayId!: number;
  @Column('text') status!: 'success' | 'error';
  @Column('integer', { nullable: true }) count!: number | null;
  @Column('text', { nullable: true }) message!: string | null;
  @Column('text', { name: 'site_url', nullable: true }) siteUrl!: string | null;
  @Column('text', { nullable: true }) snapshot!: string | null;
  @Column('integer', { nullable: true }) added!: number | null;
  @Column('integer', { nullable: true }) updated!: number | null;
  @Column('integer', { nullable: true }) removed!: number | null;
  @Column('jsonb', { nullable: true }) failed!: FailedListing[] | null;
  @Column('text', { nullable: true }) plugin!: string | null;
  @Column('timestamptz', { name: 'received_at', default: () => 'clock_timestamp()' }) receivedAt!: Timestamp;
}
