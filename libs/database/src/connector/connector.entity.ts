import type { ConnectorType } from '@passerelle/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('connector')
export class ConnectorEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') label!: string;
  @Column('text') type!: ConnectorType;
  @Column('text') notes!: string;
}
