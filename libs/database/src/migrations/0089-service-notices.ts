import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notices of notification rules about the installation: docs/decisions/0082. They have a table of their own, because the
 * key of notification_notice has a gateway, and the previous release inserts by that key.
 */
export class ServiceNotices1763997600000 implements MigrationInterface {
  name = 'ServiceNotices1763997600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // `service` is the word of the finding in ops status: queue, announcer or backup.
  `CREATE TABLE notification_service_notice (
     rule_id bigint NOT NULL REFERENCES notification_rule ON DELETE CASCADE,
     service text NOT NULL,
     cause text NOT NULL,
     told_at timestamptz NOT NULL,
     ended_at timestamptz,
     PRIMARY KEY (rule_id, service)
   )`,
  // The notifications look for the newest backup several times a minute, also where there is none.
  `CREATE INDEX audit_backup ON audit (id) WHERE act IN ('backup', 'backup failed')`,
];

const DOWN = ['DROP INDEX audit_backup', 'DROP TABLE notification_service_notice'];
