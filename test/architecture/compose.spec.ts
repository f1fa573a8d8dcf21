import { parse } from 'yaml';
import { parseConfig as parseApiConfig } from '../../apps/api/src/config';
import { parseConfig as parseIngestorConfig } from '../../apps/ingestor/src/config';
import { documentedSettings, readFromRoot } from './settings-table';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  container_name?: string;
  ports?: string[];
  restart?: string;
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
}

const text = readFromRoot('docker-compose.yml');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const service = (name: string): Service => services[name]!;

/** Of PostgreSQL's own image, and of nobody's program. */
const NOT_OURS = ['POSTGRES_PASSWORD'];
const SECRETS = ['POSTGRES_PASSWORD', 'SECRETS_KEY', 'OPS_TOKEN'];

describe('docker-compose.yml', () => {
  it('sets only variables that exist', () => {
    const documented = documentedSettings().map(({ name }) => name);
    for (const name of ['migrate', 'api', 'ingestor']) {
      expect(documented).toEqual(expect.arrayContaining(Object.keys(service(name).environment)));
    }
    expect([...documented, ...NOT_OURS]).toEqual(expect.arrayContaining(interpolated().map(({ name }) => name)));
  });

  it('has the defaults of the settings table, and none for a secret', () => {
    const documented = Object.fromEntries(documentedSettings().map((setting) => [setting.name, setting.default ?? '']));
    for (const { name, operator, value } of interpolated()) {
      expect([name, SECRETS.includes(name) ? ':?' : operator]).toEqual([name, operator]);
      if (operator === ':-') expect([name, value]).toEqual([name, documented[name]]);
    }
  });

  it('asks for nothing that .env.example does not explain', () => {
    const example = parseEnvFile(readFromRoot('.env.example'));
    expect(Object.keys(example).sort()).toEqual([...new Set(interpolated().map(({ name }) => name))].sort());
    for (const { name, operator, value } of interpolated()) {
      expect([name, example[name]]).toEqual([name, operator === ':?' ? '' : value]);
    }
  });

  it('gives both programs an environment that they accept', () => {
    const answers: Record<string, string> = {
      POSTGRES_PASSWORD: 'abc',
      SECRETS_KEY: 'k'.repeat(64),
      OPS_TOKEN: 'token',
      BASE_URL: 'https://listings.example.org',
      TRUST_PROXY: '172.16.0.0/12',
    };
    const image = { NODE_ENV: 'production', HOST: '0.0.0.0', REQUIRE_HTTPS: 'true', DATA_DIR: '/data' };
    const environment = (name: string): Record<string, string> => {
      const own = Object.entries(service(name).environment);
      return { ...image, ...Object.fromEntries(own.map(([key, value]) => [key, filledIn(value, answers)])) };
    };

    expect(parseApiConfig(environment('api'))).toMatchObject({
      host: '0.0.0.0',
      port: 3000,
      requireHttps: true,
      baseUrl: 'https://listings.example.org',
      demoGateways: [],
    });
    expect(parseIngestorConfig(environment('ingestor'))).toMatchObject({
      opsPort: 3001,
      inboxDir: '/data/inbox',
      redisUrl: 'redis://redis:6379/0',
      isProduction: true,
    });
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
      const [node, script] = service(name).command!;
      const folder = script!.startsWith('dist/apps/') ? 'dist/apps' : script!;
      expect(node).toBe('node');
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
