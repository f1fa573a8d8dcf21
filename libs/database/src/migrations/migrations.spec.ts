import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from './migrations';
import { assertFit, CONTRACT } from './schema-fit';

/** What an older release's statements would stumble over. A foreign key may go where triggers do what it did. */
const TAKES_AWAY =
  /\bDROP\s+(TABLE|COLUMN|CONSTRAINT(?!\s+\w+_fkey$)|VIEW|FUNCTION|TRIGGER)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\w+\s+TYPE\b|\bTRUNCATE\b/i;
/** Before there was a rule. */
const FREE = 4;

async function statementsOf(Migration: (typeof MIGRATIONS)[number]): Promise<string[]> {
  const statements: string[] = [];
  const runner = {
    query(sql: string) {
      statements.push(sql);
      return Promise.resolve([]);
    },
  } as unknown as QueryRunner;
  await new Migration().up(runner);
  return statements;
}

describe('a migration', () => {
  it.each(MIGRATIONS.slice(FREE).map((migration) => [migration.name, migration] as const))(
    'only adds, unless its name says that it contracts: %s',
    async (name, migration) => {
      if (name.startsWith(CONTRACT)) return;
      const statements = await statementsOf(migration);
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.filter((sql) => TAKES_AWAY.test(sql))).toEqual([]);
    },
  );

  it('that contracts would be noticed', async () => {
    const statements = await statementsOf(MIGRATIONS[FREE - 1]!);
    expect(statements.some((sql) => TAKES_AWAY.test(sql))).toBe(true);
  });
});

describe('a database', () => {
  const known = ['First1', 'Second2'];

  it.each([
    ['has what this release knows', ['First1', 'Second2']],
    ['has what a newer release has added', ['First1', 'Second2', 'Third3']],
  ])('fits when it %s', (_what, applied) => {
    expect(() => {
      assertFit(applied, known);
    }).not.toThrow();
  });

  it.each([
    ['lacks a migration', ['First1'], /lacks migrations of this release/],
    ['lacks one in the middle', ['Second2', 'Third3'], /lacks migrations of this release/],
    ['was contracted by a newer release', ['First1', 'Second2', 'ContractThird3'], /newer release \(ContractThird3\)/],
  ])('does not fit when it %s', (_what, applied, message) => {
    expect(() => {
      assertFit(applied, known);
    }).toThrow(message);
  });

  it('may be contracted by this release itself', () => {
    expect(() => {
      assertFit(['First1', 'ContractSecond2'], ['First1', 'ContractSecond2']);
    }).not.toThrow();
  });
});
