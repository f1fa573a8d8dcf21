import type { QueryRunner } from 'typeorm';
import { assertFit, MIGRATIONS } from './migrations';
import { assertUpgradable, PAST_RELEASES } from './releases';
import { CONTRACT } from './schema-unfit';

/** Statements that would break the previous release while both run. */
const TAKES_AWAY =
  /\bDROP\s+(TABLE|COLUMN|CONSTRAINT|VIEW|FUNCTION|TRIGGER)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\w+\s+TYPE\b|\bTRUNCATE\b/i;
/** A migration may drop a foreign key when it creates a trigger that deletes the referring rows. */
const FOREIGN_KEY_GOES = /\bDROP\s+CONSTRAINT\s+\w+_fkey$/;
const REMOVES_IN_ITS_STEAD = /\bCREATE\s+TRIGGER\s+\w+\s+AFTER\s+DELETE\b/;
/** A migration may drop a trigger that deletes rows when it declares a cascading foreign key. */
const TRIGGER_GOES = /\bDROP\s+(TRIGGER|FUNCTION)\s+IF\s+EXISTS\s+remove_\w+/;
const KEY_IN_ITS_STEAD = /\bADD\s+CONSTRAINT\s+\w+\s+FOREIGN\s+KEY\b[^;]*\bON\s+DELETE\s+CASCADE\b/;
/** Drops a key that an interrupted attempt of this migration left behind. */
const DECLARED_AGAIN = /\bDROP\s+CONSTRAINT\s+IF\s+EXISTS\s+(\w+)$/;
/**
 * These migrations replace objects by new ones of the same name, so this test skips them:
 * test/long/e2e/release-before.spec.ts runs the previous release on the result.
 */
const PLAYED = ['PartsByGateway1763881200000'];
/** Before there was a rule. */
const FREE = 4;

async function statementsOf(Migration: (typeof MIGRATIONS)[number]): Promise<string[]> {
  const statements: string[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const runner = {
    startTransaction: nothing,
    commitTransaction: nothing,
    query(sql: string) {
      // Split statements that are sent together; lines within a function are indented.
      statements.push(...sql.split(/;\n(?=\S)/));
      return Promise.resolve([]);
    },
  } as unknown as QueryRunner;
  await new Migration().up(runner);
  return statements;
}

describe('a migration', () => {
  it.each(MIGRATIONS.slice(FREE).map((migration) => [migration.name, migration] as const))(
    'only adds to the schema, unless its name says that it contracts: %s',
    async (name, migration) => {
      if (name.startsWith(CONTRACT) || PLAYED.includes(name)) return;
      const statements = await statementsOf(migration);
      expect(statements.length).toBeGreaterThan(0);
      const maySpareKeys = statements.some((sql) => REMOVES_IN_ITS_STEAD.test(sql));
      const maySpareTriggers = statements.some((sql) => KEY_IN_ITS_STEAD.test(sql));
      const isDeclared = (key: string | undefined): boolean =>
        key !== undefined && statements.some((sql) => sql.includes(`ADD CONSTRAINT ${key} `));
      const takesAway = (sql: string): boolean =>
        TAKES_AWAY.test(sql) &&
        !(maySpareKeys && FOREIGN_KEY_GOES.test(sql)) &&
        !(maySpareTriggers && TRIGGER_GOES.test(sql)) &&
        !isDeclared(DECLARED_AGAIN.exec(sql)?.[1]);
      expect(statements.filter(takesAway)).toEqual([]);
    },
  );

  it('fails the check when it drops a column', async () => {
    const statements = await statementsOf(MIGRATIONS[FREE - 1]!);
    expect(statements.some((sql) => TAKES_AWAY.test(sql))).toBe(true);
  });
});

describe('assertFit', () => {
  const known = ['First1', 'Second2'];

  it.each([
    ['has all migrations of this release', ['First1', 'Second2']],
    ['also has a migration of a newer release', ['First1', 'Second2', 'Third3']],
  ])('accepts a database that %s', (_what, applied) => {
    expect(() => {
      assertFit(applied, known);
    }).not.toThrow();
  });

  it.each([
    ['lacks the last migration of this release', ['First1'], /lacks migrations of this release/],
    ['lacks an earlier migration of this release', ['Second2', 'Third3'], /lacks migrations of this release/],
    ['was contracted by a newer release', ['First1', 'Second2', 'ContractThird3'], /newer release \(ContractThird3\)/],
  ])('rejects a database that %s', (_what, applied, message) => {
    expect(() => {
      assertFit(applied, known);
    }).toThrow(message);
  });

  it('accepts a database after a contracting migration of the same release', () => {
    expect(() => {
      assertFit(['First1', 'ContractSecond2'], ['First1', 'ContractSecond2']);
    }).not.toThrow();
  });
});

describe('assertUpgradable', () => {
  const known = ['First1', 'Second2', 'Third3'];
  const past = [
    { release: '1.0.0', schema: 'First1' },
    { release: '1.1.0', schema: 'Second2' },
  ];

  it.each([
    ['is new', { applied: [], hasGateways: false }],
    ['is of the previous release', { applied: ['First1', 'Second2'], hasGateways: true }],
    ['is of this release', { applied: known, hasGateways: true }],
    ['is of a newer release that only adds', { applied: [...known, 'Fourth4'], hasGateways: true }],
    ['was left by an interrupted first migration', { applied: ['First1'], hasGateways: false }],
  ])('accepts a database that %s', (_what, found) => {
    expect(() => {
      assertUpgradable(found, known, past);
    }).not.toThrow();
  });

  it.each([
    ['would skip a release', ['First1'], 'upgrade to 1.1.0 first; nothing was changed'],
    ['is of a newer release that removes', [...known, 'ContractFourth4'], 'newer release (ContractFourth4)'],
  ])('refuses a database that %s', (_what, applied, message) => {
    expect(() => {
      assertUpgradable({ applied, hasGateways: true }, known, past);
    }).toThrow(message);
  });

  it('knows the last migration of each earlier release', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(PAST_RELEASES.filter(({ schema }) => !names.includes(schema))).toEqual([]);
  });
});
