import type { InboundWebhookRules, ConnectorType } from '@passerelle/domain';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('connector')
@Check('connector_type_check', `type IN ('api', 'zip', 'xml', 'custom')`)
export class ConnectorEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') label!: string;
  @Column('text') type!: ConnectorType;
  @Column('text') notes!: string;
  /** How the connector's CRM sends webhooks; null when it sends none. */
  @Column('jsonb', { nullable: true }) calls!: InboundWebhookRules | null;
}
