import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Timestamp } from '../connection-settings';

/** One row for the whole installation. */
@Entity('installation')
@Check('installation_id_check', 'id')
export class InstallationEntity {
  @PrimaryColumn('boolean', { default: true }) id!: boolean;
  /** The secret under which API keys are hashed; it differs in every installation. */
  @Column('bytea', { name: 'key_pepper' }) keyPepper!: Buffer;
  @Column('timestamptz', { name: 'media_pruned_at', nullable: true }) mediaPrunedAt!: Timestamp | null;
  /** The name of the SECRETS_KEY with which the database was set up; null until a process with a key has started. */
  @Column('text', { name: 'secrets_key_name', nullable: true }) secretsKeyName!: string | null;
  /** Until this time a process reads the outbox. Later the outbox's rows move back to the previous release's tables. */
  @Column('timestamptz', { name: 'outbox_served_until', nullable: true }) outboxServedUntil!: Timestamp | null;
  /** The number of parts of the divided listing tables. */
  @Column('integer', { nullable: true }) parts!: number | null;
}
