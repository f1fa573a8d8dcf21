import { type Program, type Setting, SETTINGS } from '@passerelle/settings';
import { parseConfig as parseApiConfig } from '../../apps/api/src/config';
import { parseConfig as parseIngestorConfig } from '../../apps/ingestor/src/config';
import { parseConfig as parseConsoleConfig } from '../../apps/console/src/config';
import { locateInstance, sourcePolicyOf, surroundingsOf } from '../../apps/ops/src/running-instance';
import { readSettings as readMigrateSettings } from '../../tools/migrate/settings';
import { readSettings } from '../../tools/start/settings';
import { expectSection, markdownTable } from '../support/generated-section';

type Environment = Readonly<Record<string, string | undefined>>;

type AnySetting = Setting<string | number | boolean | readonly string[] | null>;

const ALL: [name: string, AnySetting][] = Object.entries(SETTINGS);

const READERS: [Program, (environment: Environment) => unknown][] = [
  ['API', parseApiConfig],
  ['ingestor', parseIngestorConfig],
  ['console', parseConsoleConfig],
  ['ops', async (env) => [await locateInstance(env), sourcePolicyOf(env), surroundingsOf(env)]],
  ['migrate', readMigrateSettings],
  ['npm start', readSettings],
];

/** An environment that is sufficient for every program, with a setting for each secret. */
const SUFFICIENT = {
  DATABASE_URL: 'postgres://localhost/x',
  REDIS_URL: 'redis://localhost',
  SECRETS_KEY: 'k'.repeat(32),
  CONSOLE_SECRET: 'c'.repeat(32),
};

describe('setting catalogue', () => {
  it.each(READERS)('names for %s exactly the settings that it reads', async (program, read) => {
    const names = new Set<string>();
    const environment = new Proxy<Environment>(SUFFICIENT, {
      get(set, name) {
        names.add(String(name).replace(/_FILE$/, ''));
        return set[String(name)];
      },
    });
    await read(environment);

    expect([...names].sort()).toEqual(
      ALL.filter(([, { readBy }]) => readBy.includes(program))
        .map(([name]) => name)
        .sort(),
    );
  });

  // Not tested: the command line, because it finds the database of `npm start`, and `npm start`, because it starts its
  // own database.
  it.each(READERS.filter(([program]) => program !== 'ops' && program !== 'npm start'))(
    'requires for %s exactly the settings that its start needs',
    (program, read) => {
      const missing = Object.keys(SUFFICIENT).filter((name) => {
        const others: Environment = { ...SUFFICIENT, [name]: undefined };
        try {
          read(others);
          return false;
        } catch {
          return true;
        }
      });
      expect(() => read(SUFFICIENT)).not.toThrow();
      expect(missing).toEqual(
        Object.keys(SUFFICIENT).filter((name) =>
          ALL.some(([other, { requiredBy }]) => other === name && requiredBy?.includes(program)),
        ),
      );
    },
  );

  it('requires only settings that the test of required settings covers', () => {
    const required = ALL.filter(([, { requiredBy }]) => requiredBy !== undefined).map(([name]) => name);
    expect(Object.keys(SUFFICIENT)).toEqual(expect.arrayContaining(required));
  });

  it('is listed in README.md, the required settings first', () => {
    const shown = ALL.filter(([, { isInternal, readBy }]) => isInternal !== true && readBy.length > 0);
    const rows = [
      ...shown.filter(([, { requiredBy }]) => requiredBy !== undefined),
      ...shown.filter(([, { requiredBy }]) => requiredBy === undefined),
    ].map(([name, setting]) => [
      `\`${name}\``,
      setting.requiredBy?.join(', ') ?? '',
      shownDefault(setting),
      // `npm start` reads all settings, because it passes them to the other programs.
      setting.readBy.filter((program) => program !== 'npm start').join(', ') || 'npm start',
      setting.about,
    ]);
    const secrets = ALL.filter(([, { isSecret }]) => isSecret).map(([name]) => `\`${name}\``);
    const files =
      `Secrets (${secrets.join(', ')}) may be in files instead, whose paths are in variables with \`_FILE\` ` +
      'behind the name: `SECRETS_KEY_FILE=/run/secrets/key`.';
    expectSection(
      'README.md',
      'settings',
      `${markdownTable(['variable', 'required by', 'default', 'read by', 'meaning'], rows)}\n\n${files}`,
    );
  });
});

function shownDefault({ fallback, fallbackInWords }: AnySetting): string {
  if (fallbackInWords !== undefined) return fallbackInWords;
  return fallback === null || typeof fallback === 'object' ? 'none' : `\`${fallback}\``;
}
