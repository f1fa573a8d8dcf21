import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, type Setting, SETTINGS } from '@passerelle/settings';
import { parse } from 'yaml';
import { parseConfig as parseApiConfig } from '../../apps/api/src/config';
import { parseConfig as parseIngestorConfig } from '../../apps/ingestor/src/config';
import { nameOfRole } from '@passerelle/database';
import { readSettings as readMigrateSettings } from '../../tools/migrate/settings';
import { nodeFlagsOf } from '../../tools/start/part';
import { readFromRoot } from './read-from-root';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  container_name?: string;
  ports?: string[];
  restart?: string;
  environment: Record<string, string>;
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
}

const text = readFromRoot('docker-compose.yml');
const { services, secrets } = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { environment: string }>;
};
const settings = new Map<string, Setting<unknown>>(Object.entries(SETTINGS));
const service = (name: string): Service => services[name]!;

/** Of PostgreSQL's own image, and of nobody's program. */
const NOT_OURS = ['POSTGRES_PASSWORD'];
/** The command line is run in the ingestor's container. */
const PROGRAMS: [service: string, Program[]][] = [
  ['migrate', ['migrate']],
  ['api', ['API']],
  ['ingestor', ['ingestor', 'ops']],
];

describe('docker-compose.yml', () => {
  it.each(PROGRAMS)('sets for %s only what is read there, and secrets from files', (name, programs) => {
    for (const variable of Object.keys(service(name).environment)) {
      const isFile = variable.endsWith('_FILE');
      const setting = settings.get(variable.replace(/_FILE$/, ''));
      const isRead = setting?.readBy.some((program) => programs.includes(program));
      expect([variable, isRead, !isFile || setting?.isSecret]).toEqual([variable, true, true]);
    }
  });

  it('leaves defaults to the programs, but for a port that it publishes', () => {
    for (const { name, operator, value } of interpolated()) {
      if (operator !== ':-') continue;
      const expected = name === 'PORT' ? String(SETTINGS.PORT.fallback) : '';
      expect([name, value]).toEqual([name, expected]);
    }
  });

  it('has no default for a secret, and goes without the one of before', () => {
    const isSecret = (name: string): boolean => NOT_OURS.includes(name) || settings.get(name)?.isSecret === true;
    const optional = new Set(interpolated().flatMap(({ name, operator }) => (operator === ':?' ? [] : [name])));
    expect([...optional].filter(isSecret)).toEqual(['SECRETS_KEY_OLD']);
  });

  it('asks for nothing that .env.example does not name, and the other way around', () => {
    const asked = [...interpolated(), ...secretVariables()].map(({ name }) => name);
    expect(Object.keys(parseEnvFile(readFromRoot('.env.example'))).sort()).toEqual([...new Set(asked)].sort());
    expect(asked.filter((name) => !NOT_OURS.includes(name) && !settings.has(name))).toEqual([]);
  });

  it('is given no value by .env.example', () => {
    expect(new Set(Object.values(parseEnvFile(readFromRoot('.env.example'))))).toEqual(new Set(['']));
  });

  describe('gives both programs an environment that they accept', () => {
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
    const answers: Record<string, string> = {
      POSTGRES_PASSWORD: 'abc',
      DATABASE_INGEST_PASSWORD: 'ingest-0123456789',
      DATABASE_SERVE_PASSWORD: 'serve-0123456789',
      SECRETS_KEY: 'k'.repeat(64),
      OPS_TOKEN: 'token',
      BASE_URL: 'https://listings.example.org',
      TRUST_PROXY: '172.16.0.0/12',
    };
    const image = { NODE_ENV: 'production', HOST: '0.0.0.0', REQUIRE_HTTPS: 'true', DATA_DIR: '/data' };
    const environment = (name: string): Record<string, string> => {
      for (const secret of service(name).secrets ?? []) {
        writeFileSync(join(folder, secret), answers[secrets[secret]!.environment]!);
      }
      const own = Object.entries(service(name).environment);
      return {
        ...image,
        ...Object.fromEntries(
          own.map(([key, value]) => [key, filledIn(value, answers).replace('/run/secrets', folder)]),
        ),
      };
    };

    it('the API', () => {
      expect(parseApiConfig(environment('api'))).toMatchObject({
        host: '0.0.0.0',
        port: 3000,
        requireHttps: true,
        databaseUrl: 'postgres://passerelle_serve:serve-0123456789@postgres:5432/passerelle',
        secretsKey: answers['SECRETS_KEY'],
        baseUrl: 'https://listings.example.org',
        demoGateways: [],
      });
    });

    it('the ingestor', () => {
      expect(parseIngestorConfig(environment('ingestor'))).toMatchObject({
        opsPort: 3001,
        databaseUrl: 'postgres://passerelle_ingest:ingest-0123456789@postgres:5432/passerelle',
        inboxDir: '/data/inbox',
        redisUrl: 'redis://redis:6379/0',
        secretsKey: answers['SECRETS_KEY'],
        opsToken: 'token',
        isProduction: true,
      });
    });
  });

  it('makes the roles that it uses', () => {
    const { databaseUrl, passwords } = readMigrateSettings({
      DATABASE_URL: filledIn(service('migrate').environment['DATABASE_URL']!, { POSTGRES_PASSWORD: 'abc' }),
      DATABASE_INGEST_PASSWORD: 'ingest-0123456789',
      DATABASE_SERVE_PASSWORD: 'serve-0123456789',
    });
    expect(databaseUrl).toBe('postgres://passerelle:abc@postgres:5432/passerelle');
    expect(Object.keys(passwords)).toEqual(['ingest', 'serve']);
    expect(service('migrate').secrets).toEqual(['database_ingest_password', 'database_serve_password']);
    for (const [name, role] of [
      ['api', 'serve'],
      ['ingestor', 'ingest'],
    ] as const) {
      expect(service(name).environment['DATABASE_URL']).toContain(`://${nameOfRole('passerelle', role)}:`);
      expect(JSON.stringify(service(name))).not.toContain('POSTGRES_PASSWORD');
    }
  });

  it('migrates before anything of ours starts', () => {
    for (const name of ['api', 'ingestor']) {
      expect(service(name).depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    }
    expect(service('migrate')).toMatchObject({
      restart: 'no',
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
  });

  it('lets the ingestor run many times', () => {
    expect(service('ingestor').container_name).toBeUndefined();
    expect(service('ingestor').ports).toBeUndefined();
  });

  it('keeps the queue in a Redis that forgets and evicts nothing', () => {
    expect(service('redis').command).toEqual([
      ...['redis-server', '--appendonly', 'yes'],
      ...['--maxmemory-policy', 'noeviction'],
    ]);
  });

  it('restarts and watches what serves', () => {
    for (const name of ['postgres', 'redis', 'api', 'ingestor']) {
      expect(service(name)).toMatchObject({ restart: 'unless-stopped', healthcheck: { test: expect.any(Array) } });
    }
  });

  it('runs what the image holds', () => {
    const dockerfile = readFromRoot('Dockerfile');
    for (const name of ['migrate', 'api', 'ingestor']) {
      const [node, ...rest] = service(name).command!;
      const script = rest.pop();
      const folder = script!.startsWith('dist/apps/') ? 'dist/apps' : script!;
      expect([node, ...rest]).toEqual(['node', ...nodeFlagsOf(script!.replace(/^dist\//, ''))]);
      expect(dockerfile).toContain(`/app/${folder} ./${folder}`);
      expect(() => readFromRoot(script!.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).not.toThrow();
    }
  });

  it('runs as a user without rights, with TLS asked for', () => {
    const dockerfile = readFromRoot('Dockerfile');
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/REQUIRE_HTTPS=true/);
    expect(dockerfile).toMatch(/npm ci --omit=dev/);
  });
});

interface Interpolated {
  name: string;
  /** `:?` must be set; `:-` has a default. */
  operator: string;
  value: string;
}

function secretVariables(): { name: string }[] {
  return Object.values(secrets).map(({ environment }) => ({ name: environment }));
}

/** Every `${NAME…}` of the file. */
function interpolated(): Interpolated[] {
  return [...text.matchAll(/\$\{([A-Z_]+)(:[?-])?([^}]*)\}/g)].map(([, name, operator, value]) => ({
    name: name!,
    operator: operator ?? '',
    value: value!,
  }));
}

function filledIn(value: string, answers: Record<string, string>): string {
  return value.replace(
    /\$\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)\}/g,
    (_all, name: string, fallback?: string) => answers[name] ?? fallback ?? '',
  );
}

function parseEnvFile(file: string): Record<string, string> {
  return Object.fromEntries([...file.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
}
