import { join, resolve } from 'node:path';
import { Settings } from '@passerelle/domain';

/** What `npm start` itself reads; everything else in the environment goes to the API and the ingestor as it is. */
export interface StartSettings {
  host: string;
  port: number;
  opsPort: number;
  simulatorPort: number;
  baseUrl: string;
  /** Absolute. */
  dataDir: string;
  inboxDir: string;
  /** Null: the embedded server. */
  databaseUrl: string | null;
  redisUrl: string | null;
  secretsKey: string | null;
  opsToken: string | null;
  allowPrivateSources: string[];
}

const PORTS = { min: 1, max: 65_535 };

/** @throws ConfigError naming the variable that cannot be used. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): StartSettings {
  const settings = new Settings(environment);
  const dataDir = resolve(settings.text('DATA_DIR') ?? '.data');
  const port = settings.integer('PORT', PORTS) ?? 3000;
  return {
    host: settings.text('HOST') ?? '127.0.0.1',
    port,
    opsPort: settings.integer('OPS_PORT', PORTS) ?? 3001,
    simulatorPort: settings.integer('SIMULATOR_PORT', PORTS) ?? 3002,
    baseUrl: (settings.text('BASE_URL') ?? `http://localhost:${port}`).replace(/\/+$/, ''),
    dataDir,
    inboxDir: resolve(settings.text('INBOX_DIR') ?? join(dataDir, 'inbox')),
    databaseUrl: settings.address('DATABASE_URL', ['postgres', 'postgresql']) ?? null,
    redisUrl: settings.address('REDIS_URL', ['redis', 'rediss']) ?? null,
    secretsKey: settings.text('SECRETS_KEY') ?? null,
    opsToken: settings.text('OPS_TOKEN') ?? null,
    allowPrivateSources: settings.list('ALLOW_PRIVATE_SOURCES'),
  };
}

/** Where we ourselves reach a port of this start. */
export function localUrl({ host }: StartSettings, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
