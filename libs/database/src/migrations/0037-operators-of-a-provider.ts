import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators who sign in through an identity provider have no password here: docs/decisions/0039. */
export class OperatorsOfAProvider1763816400000 implements MigrationInterface {
  name = 'OperatorsOfAProvider1763816400000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  'ALTER TABLE operator ADD COLUMN subject text CONSTRAINT operator_subject UNIQUE',
  'ALTER TABLE operator ALTER COLUMN password_hash DROP NOT NULL',
];

const DOWN = [
  // No password has this hash: these operators cannot sign in until they get a password.
  `UPDATE operator SET password_hash = '' WHERE password_hash IS NULL`,
  'ALTER TABLE operator ALTER COLUMN password_hash SET NOT NULL',
  'ALTER TABLE operator DROP COLUMN subject',
];
