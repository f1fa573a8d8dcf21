import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryGeneratedColumn } from 'typeorm';

/** One client of one connector. */
@Entity('gateway')
export class GatewayEntity {
  @PrimaryGeneratedColumn('identity') id!: number;
  @Column('text') crm!: string;
  @Column('text') client!: string;
  @Column('text', { name: 'source_url' }) sourceUrl!: string;
  @Column('jsonb') settings!: Record<string, string>;
  /** Sealed JSON of name → value; null when the source needs none. */
  @Column('bytea', { nullable: true }) credentials!: Buffer | null;
  @Column('boolean') enabled!: boolean;
  /** `YYYY-MM-DD`. */
  @Column('date', { name: 'contract_end', nullable: true }) contractEnd!: string | null;
  @Column('integer', { name: 'every_seconds', nullable: true }) everySeconds!: number | null;
  @OneToMany(() => ApiKeyEntity, (key) => key.gateway) keys!: ApiKeyEntity[];
}

@Entity('api_key')
export class ApiKeyEntity {
  @PrimaryGeneratedColumn('identity') id!: number;
  @ManyToOne(() => GatewayEntity, (gateway) => gateway.keys)
  @JoinColumn({ name: 'gateway_id' })
  gateway!: GatewayEntity;
  @Column('bytea') hash!: Buffer;
  @Column('text') prefix!: string;
  @Column('timestamp with time zone', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
}
