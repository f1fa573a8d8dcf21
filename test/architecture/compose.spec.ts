import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, RELEASE, type Setting, SETTINGS } from '@passerelle/settings';
import { parse } from 'yaml';
import { parseConfig as parseApiConfig } from '../../apps/api/src/config';
import { parseConfig as parseConsoleConfig } from '../../apps/console/src/config';
import { parseConfig as parseIngestorConfig } from '../../apps/ingestor/src/config';
import { nameOfRole } from '@passerelle/database';
import { readSettings as readMigrateSettings } from '../../tools/migrate/settings';
import { nodeFlagsOf } from '../../tools/start/service';
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
  networks?: string[];
  profiles?: string[];
  logging: { driver: string; options: Record<string, string> };
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
}

const text = readFromRoot('docker-compose.yml');
const parsed = parse(text, { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, { environment: string }>;
  networks: Record<string, { ipam?: { config: { subnet: string }[] } } | null>;
};
const { services, secrets, networks } = parsed;
const settings = new Map<string, Setting<unknown>>(Object.entries(SETTINGS));
const service = (name: string): Service => services[name]!;

/** Variables that no program of Passerelle reads: secrets of other images, and host folders of volumes. */
const THEIR_SECRETS = ['POSTGRES_PASSWORD', 'GRAFANA_PASSWORD'];
const DEFAULTS: Record<string, string> = {
  ...{ INBOX_PATH: 'inbox', BACKUP_PATH: 'backups' },
  ...{ INGESTORS: '1', POSTGRES_MAX_CONNECTIONS: '250', DATABASE_POOLER: 'postgres:5432' },
};
const NOT_OURS = [
  ...[...THEIR_SECRETS, ...Object.keys(DEFAULTS), 'DATABASE_REPLICA'],
  ...['NOTIFY_EMAIL', 'NOTIFY_WEBHOOK_URL'],
];
const APIS = ['api-a', 'api-b'];
/** The command line runs in the ingestor's container. */
const PROGRAMS: [service: string, Program[]][] = [
  ['migrate', ['migrate']],
  ['api-a', ['API']],
  ['api-b', ['API']],
  ['ingestor', ['ingestor', 'ops']],
  ['console', ['console']],
  ['backup', ['ops']],
];

/** Settings that have one value in containers: that of the image, a volume or a network. */
const FIXED = [
  ...['HOST', 'PORT', 'OPS_PORT', 'CONSOLE_PORT', 'REQUIRE_HTTPS', 'DATA_DIR', 'INBOX_DIR', 'MEDIA_DIR', 'SPOOL_DIR'],
  ...['NODE_ENV', 'COMPOSE_RELEASE', 'TRUST_PROXY', 'DRAIN_SECONDS', 'REDIS_URL'],
];
/** Settings that another file in deploy/compose passes. */
const IN_OWN_FILES: Record<string, string> = {
  SECRETS_KEY_OLD: 'rekey.yml',
  OIDC_CLIENT_SECRET: 'oidc.yml',
  MAIL_URL: 'mail.yml',
};
/** Settings that compose does not pass, with the reason. */
const LEFT_OUT: Partial<Record<string, Partial<Record<Program, string>>>> = {
  PAGES_BUCKET_URL: { API: 'no longer used', ingestor: 'no longer used' },
  OPS_USER: { ops: 'one per operator: docker compose exec --env OPS_USER=… ingestor node tools/ops.mjs …' },
  REDIS_URL: { API: 'the APIs count requests in process memory, so they share no network with Redis' },
  REDIS_PASSWORD: { API: 'as REDIS_URL' },
  REDIS_PREFIX: { API: 'as REDIS_URL' },
  DATABASE_URL: { migrate: 'that of the service postgres, because the owner does not use a pooler' },
  DATABASE_DIRECT_URL: { migrate: 'as DATABASE_URL' },
};

describe('docker-compose.yml', () => {
  it.each(PROGRAMS.filter(([name]) => name !== 'backup'))(
    'lets .env set every setting that the programs of the service %s read',
    (name, programs) => {
      const { environment } = service(name);
      const read = [...settings].filter(
        ([setting, { readBy, isInternal }]) =>
          isInternal !== true && programs.some((one) => readBy.includes(one) && !LEFT_OUT[setting]?.[one]),
      );
      const isPassed = (setting: string): boolean =>
        /\$\{[A-Z_]+:/.test(environment[setting] ?? '') || environment[`${setting}_FILE`] !== undefined;
      const missing = read.filter(([one]) => !isPassed(one) && !FIXED.includes(one) && !(one in IN_OWN_FILES));
      expect(missing.map(([one]) => one)).toEqual([]);
    },
  );

  it.each(Object.entries(IN_OWN_FILES))('passes %s in deploy/compose/%s', (setting, file) => {
    expect(readFromRoot(`deploy/compose/${file}`)).toContain(`${setting}_FILE: /run/secrets/`);
  });

  it('passes the credentials of a bucket in bucket.yml to the programs that read MEDIA_BUCKET_URL', () => {
    const bucket = parse(readFromRoot('deploy/compose/bucket.yml'), { merge: true }) as typeof parsed;
    const readers = Object.entries(services).flatMap(([name, { environment = {} }]) =>
      'MEDIA_BUCKET_URL' in environment ? [name] : [],
    );
    expect(Object.keys(bucket.services)).toEqual(readers);
  });

  it.each(PROGRAMS)('sets for %s only settings that it reads, and secrets from files', (name, programs) => {
    for (const variable of Object.keys(service(name).environment)) {
      const isFile = variable.endsWith('_FILE');
      const setting = settings.get(variable.replace(/_FILE$/, ''));
      const isRead = setting?.readBy.some((program) => programs.includes(program));
      expect([variable, isRead, !isFile || setting?.isSecret]).toEqual([variable, true, true]);
    }
  });

  it('leaves the defaults of settings to the programs', () => {
    for (const { name, operator, value } of interpolated()) {
      if (operator === ':-') expect([name, value]).toEqual([name, DEFAULTS[name] ?? '']);
    }
  });

  it('shows no secret in the configuration of a container', () => {
    const isSecret = (name: string): boolean => THEIR_SECRETS.includes(name) || settings.get(name)?.isSecret === true;
    expect(interpolated().filter(({ name }) => isSecret(name))).toEqual([]);
    for (const { environment = {} } of Object.values(services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (!isSecret(name)) continue;
        expect(new URL(filledIn(value, { DATABASE_POOLER: 'pooler:6432', DATABASE_REPLICA: 'replica' })).password).toBe(
          '',
        );
      }
    }
  });

  it('requires SECRETS_KEY_OLD in rekey.yml for the APIs, the ingestor and the console', () => {
    const rekey = parse(readFromRoot('deploy/compose/rekey.yml'), { merge: true }) as typeof parsed;
    expect(Object.keys(rekey.services)).toEqual([...APIS, 'ingestor', 'console']);
    for (const { environment } of Object.values(rekey.services)) {
      expect(environment).toEqual({ SECRETS_KEY_OLD_FILE: '/run/secrets/secrets_key_old' });
    }
    expect(rekey.secrets).toEqual({ secrets_key_old: { environment: 'SECRETS_KEY_OLD' } });
  });

  it('has a proxy that logs neither the address nor the headers of a failed request', () => {
    const [log = ''] = /^\tlog default \{[^]*?^\t\}/m.exec(readFromRoot('deploy/compose/Caddyfile')) ?? [];
    expect(log).toContain('request>uri delete');
    expect(log).toContain('request>headers delete');
  });

  it('passes the secret of the identity provider to the console in oidc.yml', () => {
    const oidc = parse(readFromRoot('deploy/compose/oidc.yml')) as typeof parsed;
    expect(oidc.services['console']).toEqual({
      environment: { OIDC_CLIENT_SECRET_FILE: '/run/secrets/oidc_client_secret' },
      secrets: ['oidc_client_secret'],
    });
    expect(oidc.secrets).toEqual({ oidc_client_secret: { environment: 'OIDC_CLIENT_SECRET' } });
  });

  it('passes the mail server to the ingestor and Alertmanager in mail.yml', () => {
    const mail = parse(readFromRoot('deploy/compose/mail.yml')) as typeof parsed;
    const given = { environment: { MAIL_URL_FILE: '/run/secrets/mail_url' }, secrets: ['mail_url'] };
    expect(mail.services).toEqual({ ingestor: given, alertmanager: given });
    expect(mail.secrets).toEqual({ mail_url: { environment: 'MAIL_URL' } });
  });

  it.each(Object.keys(services))('limits the resources of %s and drops its privileges', (name) => {
    expect(service(name)).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      logging: { driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } },
    });
  });

  it.each(Object.keys(services))('sets a fixed version for the image of %s', (name) => {
    const { version } = JSON.parse(readFromRoot('package.json')) as { version: string };
    const { image, build } = service(name);
    if (build === undefined) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/);
    else expect(image).toBe(`passerelle:${version}`);
  });

  it('passes its release to `ops doctor`', () => {
    const { version } = JSON.parse(readFromRoot('package.json')) as { version: string };
    expect([RELEASE, service('ingestor').environment['COMPOSE_RELEASE']]).toEqual([version, version]);
  });

  it('keeps the API out of the queue network, and publishes only the ports of the proxy', () => {
    for (const name of APIS) expect(service(name).networks).not.toContain('queue');
    expect(service('redis').networks).toEqual(['queue']);
    expect(service('postgres').networks).toEqual(['data']);
    expect(networks).toMatchObject({ data: { internal: true }, queue: { internal: true } });
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual(['80:80', '443:443', '443:443/udp']);
  });

  it('lets the APIs trust the proxy network, which has only the proxy, the APIs and the console', () => {
    const members = Object.keys(services).filter((name) => service(name).networks?.includes('web'));
    expect(members).toEqual([...APIS, 'proxy', 'console']);
    for (const name of [...APIS, 'console']) {
      expect(service(name).environment['TRUST_PROXY']).toBe(networks['web']?.ipam?.config[0]?.subnet);
    }
  });

  describe('preflight', () => {
    const folder = mkdtempSync(join(tmpdir(), 'preflight-'));
    const names = service('preflight').secrets!;
    const [sh, ...args] = service('preflight').command!;
    const run = () =>
      spawnSync(
        sh!,
        args.map((arg) => arg.replaceAll('/run/secrets', folder).replaceAll('$$', '$')),
        { encoding: 'utf8' },
      );
    beforeEach(() => {
      for (const name of names) writeFileSync(join(folder, name), 'x');
    });
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    it('requires every secret except those of profiles', () => {
      const needed = Object.values(services).flatMap(({ secrets = [], profiles }) => (profiles ? [] : secrets));
      expect(new Set(names)).toEqual(new Set(needed));
      expect(run()).toMatchObject({ status: 0, stderr: '' });
    });

    it.each(names)('names %s and fails when it is empty', (name) => {
      writeFileSync(join(folder, name), '');
      expect(run()).toMatchObject({
        status: 1,
        stderr: `${name} is empty: set it in .env, in capital letters; openssl rand -hex 32 prints one\n`,
      });
      expect(secrets[name]?.environment).toBe(name.toUpperCase());
    });

    it('runs before every other service', () => {
      const first = Object.keys(services).filter((name) => service(name).depends_on?.['preflight']);
      expect(first).toEqual(['postgres', 'redis']);
      for (const name of first) {
        expect(service(name).depends_on).toEqual({ preflight: { condition: 'service_completed_successfully' } });
      }
    });
  });

  it('uses exactly the variables that .env.example names', () => {
    const asked = [...interpolated(), ...secretVariables()].map(({ name }) => name);
    expect(Object.keys(parseEnvFile(readFromRoot('.env.example'))).sort()).toEqual([...new Set(asked)].sort());
    expect(asked.filter((name) => !NOT_OURS.includes(name) && !settings.has(name))).toEqual([]);
  });

  it('has only empty values in .env.example', () => {
    expect(new Set(Object.values(parseEnvFile(readFromRoot('.env.example'))))).toEqual(new Set(['']));
  });

  describe('environment of the services', () => {
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
    const answers: Record<string, string> = {
      POSTGRES_PASSWORD: 'abc',
      REDIS_PASSWORD: 'r/d',
      DATABASE_INGEST_PASSWORD: 'ingest-0123456789',
      DATABASE_SERVE_PASSWORD: 'serve-0123456789',
      DATABASE_OPERATE_PASSWORD: 'operate-0123456789',
      SECRETS_KEY: 'k'.repeat(64),
      CONSOLE_SECRET: 'c'.repeat(64),
      OPS_TOKEN: 'token',
      BASE_URL: 'https://listings.example.org',
    };
    const image = { NODE_ENV: 'production', HOST: '0.0.0.0', REQUIRE_HTTPS: 'true', DATA_DIR: '/data' };
    const environment = (name: string, more: Record<string, string> = {}): Record<string, string> => {
      for (const secret of service(name).secrets ?? []) {
        writeFileSync(join(folder, secret), answers[secrets[secret]!.environment]!);
      }
      const own = Object.entries(service(name).environment);
      return {
        ...image,
        ...Object.fromEntries(
          own.map(([key, value]) => [key, filledIn(value, { ...answers, ...more }).replace('/run/secrets', folder)]),
        ),
      };
    };

    it('is valid for the API', () => {
      expect(parseApiConfig(environment('api-a'))).toMatchObject({
        host: '0.0.0.0',
        port: 3000,
        requireHttps: true,
        databaseUrl: 'postgres://passerelle_serve:serve-0123456789@postgres:5432/passerelle',
        secretsKey: answers['SECRETS_KEY'],
        baseUrl: 'https://listings.example.org',
        demoGateways: [],
      });
    });

    it('is valid for the ingestor', () => {
      expect(parseIngestorConfig(environment('ingestor'))).toMatchObject({
        opsPort: 3001,
        databaseUrl: 'postgres://passerelle_ingest:ingest-0123456789@postgres:5432/passerelle',
        inboxDir: '/data/inbox',
        redisUrl: 'redis://:r%2Fd@redis:6379/0',
        secretsKey: answers['SECRETS_KEY'],
        opsToken: 'token',
        isProduction: true,
      });
    });

    it('leads the programs to a pooler, and the API to a replica', () => {
      const more = { DATABASE_POOLER: 'pgbouncer:6432', DATABASE_REPLICA: 'replica:5432', DATABASE_POOL: '5' };
      const of = (role: string, host: string): string =>
        `postgres://passerelle_${role}:${role}-0123456789@${host}/passerelle`;
      for (const [config, role] of [
        [parseApiConfig(environment('api-a', more)), 'serve'],
        [parseIngestorConfig(environment('ingestor', more)), 'ingest'],
        [parseConsoleConfig(environment('console', more)), 'operate'],
      ] as const) {
        expect(config).toMatchObject({
          databaseUrl: of(role, 'pgbouncer:6432'),
          databaseDirectUrl: of(role, 'postgres:5432'),
          databasePool: 5,
        });
      }
      expect(parseApiConfig(environment('api-a', more)).databaseReadUrl).toBe(of('serve', 'replica:5432'));
    });

    it('is valid for the console', () => {
      expect(parseConsoleConfig(environment('console'))).toMatchObject({
        ...{ host: '0.0.0.0', port: 3004, secretsKey: answers['SECRETS_KEY'], opsToken: 'token' },
        consoleSecret: answers['CONSOLE_SECRET'],
        databaseUrl: 'postgres://passerelle_operate:operate-0123456789@postgres:5432/passerelle',
      });
    });
  });

  it('creates the roles that its services use', () => {
    const { databaseUrl, passwords } = readMigrateSettings({
      DATABASE_URL: service('migrate').environment['DATABASE_URL'],
      DATABASE_PASSWORD: 'abc',
      DATABASE_INGEST_PASSWORD: 'ingest-0123456789',
      DATABASE_SERVE_PASSWORD: 'serve-0123456789',
      DATABASE_OPERATE_PASSWORD: 'operate-0123456789',
    });
    expect(databaseUrl).toBe('postgres://passerelle:abc@postgres:5432/passerelle');
    expect(Object.keys(passwords)).toEqual(['ingest', 'serve', 'operate']);
    for (const [name, role] of [
      ['api-a', 'serve'],
      ['api-b', 'serve'],
      ['ingestor', 'ingest'],
      ['console', 'operate'],
    ] as const) {
      expect(service(name).environment['DATABASE_URL']).toContain(`://${nameOfRole('passerelle', role)}@`);
      expect(service(name).environment['DATABASE_PASSWORD_FILE']).toBe(`/run/secrets/database_${role}_password`);
      expect(service(name).secrets).not.toContain('postgres_password');
    }
  });

  it('runs the migrations before any program of Passerelle starts', () => {
    for (const name of [...APIS, 'ingestor', 'console']) {
      expect(service(name).depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    }
    expect(service('migrate')).toMatchObject({
      restart: 'no',
      depends_on: { postgres: { condition: 'service_healthy' } },
    });
  });

  it('allows several ingestors', () => {
    expect(service('ingestor').container_name).toBeUndefined();
    expect(service('ingestor').ports).toEqual(['127.0.0.1:3001-3010:3001']);
  });

  it('restarts and health-checks the long-running services', () => {
    for (const name of ['postgres', 'redis', ...APIS, 'ingestor', 'console']) {
      expect(service(name)).toMatchObject({ restart: 'unless-stopped', healthcheck: { test: expect.any(Array) } });
    }
  });

  it('runs scripts that the image contains', () => {
    const dockerfile = readFromRoot('Dockerfile');
    for (const name of ['migrate', ...APIS, 'ingestor', 'console']) {
      const [node, ...rest] = service(name).command!;
      const script = rest.pop();
      const folder = script!.startsWith('dist/apps/') ? 'dist/apps' : script!;
      expect([node, ...rest]).toEqual(['node', ...nodeFlagsOf(script!.replace(/^dist\//, ''))]);
      expect(dockerfile).toContain(`/app/${folder} ./${folder}`);
      expect(() => readFromRoot(script!.replace(/^dist\//, '').replace(/\.js$/, '.ts'))).not.toThrow();
    }
  });

  it.each([
    ['makes the next backup a day after a success, and removes backups older than 14 days', 0, '86400'],
    ['retries a failed backup after 30 minutes, reports this, and keeps older backups', 1, '1800'],
  ])('%s', (_title, exitCode, pauseSeconds) => {
    const script = service('backup').command!.at(-1)!.replaceAll('$$', '$');
    const folder = mkdtempSync(join(tmpdir(), 'passerelle-compose-'));
    try {
      const old = join(folder, 'backups', '20260101T000000Z');
      mkdirSync(old, { recursive: true });
      utimesSync(old, 0, 0);
      const node = `mkdir -p "$4"; test "$*" = "tools/ops.mjs backup --to $4" && exit ${exitCode}`;
      writeFileSync(join(folder, 'node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 });
      // Kills the script at its first pause.
      writeFileSync(join(folder, 'sleep'), '#!/bin/sh\necho "pause $1"; kill $PPID\n', { mode: 0o755 });
      const { stdout, stderr } = spawnSync('sh', ['-c', script.replaceAll('/backups', join(folder, 'backups'))], {
        ...{ encoding: 'utf8', env: { PATH: `${folder}:${process.env['PATH']}` } },
      });
      expect(stdout).toBe(`pause ${pauseSeconds}\n`);
      const isGood = exitCode === 0;
      expect(stderr.includes('the next attempt is in 30 minutes')).toBe(!isGood);
      expect(readdirSync(join(folder, 'backups'))).toEqual(
        isGood ? [expect.stringMatching(/^20\d{6}T/)] : ['20260101T000000Z'],
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('passes SECRETS_KEY to the backup service, which signs backups with it', () => {
    expect(service('backup')).toMatchObject({
      environment: { SECRETS_KEY_FILE: '/run/secrets/secrets_key' },
      secrets: expect.arrayContaining(['secrets_key']),
    });
  });

  it('runs as an unprivileged user, and requires TLS', () => {
    const dockerfile = readFromRoot('Dockerfile');
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/REQUIRE_HTTPS=true/);
    expect(dockerfile).toMatch(/npm ci --omit=dev/);
  });
});

interface Interpolated {
  name: string;
  /** `:?`: the variable is required. `:-`: the variable has a default. */
  operator: string;
  value: string;
}

function secretVariables(): { name: string }[] {
  return Object.values(secrets).map(({ environment }) => ({ name: environment }));
}

/** Every `${NAME…}` in docker-compose.yml. */
function interpolated(): Interpolated[] {
  return [...text.matchAll(/\$\{([A-Z_]+)(?:(:[?+-])((?:[^{}]|\{[^}]*\})*))?\}/g)].map(([, name, operator, value]) => ({
    name: name!,
    operator: operator ?? '',
    value: value ?? '',
  }));
}

function filledIn(value: string, answers: Record<string, string>): string {
  return value.replace(
    /\$\{([A-Z_]+)(?::([?+-])((?:[^{}]|\{[^}]*\})*))?\}/g,
    (_all, name: string, operator?: string, text = '') => {
      if (operator === '+') return (answers[name] ?? '') === '' ? '' : filledIn(text, answers);
      return answers[name] ?? (operator === '-' ? text : '');
    },
  );
}

function parseEnvFile(file: string): Record<string, string> {
  return Object.fromEntries([...file.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
}
