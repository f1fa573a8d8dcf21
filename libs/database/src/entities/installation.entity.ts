import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Timestamp } from '../connection-settings';

/** One row for the whole installation. */
@Entity('installation')
@Check('installation_id_check', 'id')
export class InstallationEntity {
  @PrimaryColumn('boolean', { default: true }) id!: boolean;
  /** The secret under which API keys are hashed; it differs in every installation. */
  @Column('bytea', { name: 'key_pepper' }) keyPepper!: Buffer;
  /** When photos that no listing names any more were last looked for. */
  @Column('timestamptz', { name: 'media_pruned_at', nullable: true }) mediaPrunedAt!: Timestamp | null;
  /** The name of the SECRETS_KEY that the database was set up with; null until a process with a key has started. */
  @Column('text', { name: 'secrets_key_name', nullable: true }) secretsKeyName!: string | null;
  /** Until when a process that reads the outbox is known to run: later its rows return to the previous release. */
  @Column('timestamptz', { name: 'outbox_served_until', nullable: true }) outboxServedUntil!: Timestamp | null;
  /** Into how many parts the tables of listings are divided. */
  @Column('integer', { nullable: true }) parts!: number | null;
}
