import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles from an identity provider, renewed during a session: docs/decisions/0039. */
export class RolesOfAProvider1763863200000 implements MigrationInterface {
  name = 'RolesOfAProvider1763863200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE operator
         ADD COLUMN provider_grant bytea,
         ADD COLUMN role_asked_at timestamptz,
         ADD COLUMN role_given_at timestamptz`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE operator DROP COLUMN provider_grant, DROP COLUMN role_asked_at, DROP COLUMN role_given_at',
    );
  }
}
