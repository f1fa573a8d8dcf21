import { join, resolve } from 'node:path';
import { DEFAULT_PARTITIONS } from '@passerelle/database';
import { ConfigError, Settings } from '@passerelle/settings';

/** Few, because a first user has few gateways and waits for the first start. */
const EMBEDDED_PARTS = 8;

/** The settings of `npm start` itself; everything else in the environment is passed to the API and the ingestor. */
export interface StartSettings {
  host: string;
  port: number;
  opsPort: number;
  simulatorPort: number;
  demoPort: number;
  consolePort: number;
  /** The console's address in browsers; null for its port on this machine. */
  consoleUrl: string | null;
  baseUrl: string;
  /** The prefix of addresses of photos that the API serves. */
  mediaBaseUrl: string;
  /** Absolute. */
  dataDir: string;
  inboxDir: string;
  /** If null, `npm start` uses the embedded server. */
  databaseUrl: string | null;
  /** For a new database. */
  parts: number;
  redisUrl: string | null;
  secretsKey: string | null;
  consoleSecret: string | null;
  opsToken: string | null;
  allowPrivateSources: string[];
}

/** @throws ConfigError with the name of the invalid variable. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): StartSettings {
  const settings = new Settings(environment);
  const dataDir = resolve(settings.get('DATA_DIR'));
  const port = portOf(settings, 'PORT');
  const baseUrl = settings.get('BASE_URL') ?? `http://localhost:${port}`;
  return {
    host: settings.get('HOST'),
    port,
    opsPort: portOf(settings, 'OPS_PORT'),
    simulatorPort: portOf(settings, 'SIMULATOR_PORT'),
    demoPort: portOf(settings, 'DEMO_PORT'),
    consolePort: portOf(settings, 'CONSOLE_PORT'),
    consoleUrl: settings.get('CONSOLE_URL'),
    baseUrl,
    mediaBaseUrl: settings.get('MEDIA_BASE_URL') ?? baseUrl,
    dataDir,
    inboxDir: resolve(settings.get('INBOX_DIR') ?? join(dataDir, 'inbox')),
    databaseUrl: settings.get('DATABASE_URL'),
    parts:
      settings.get('DATABASE_PARTITIONS') ??
      (settings.get('DATABASE_URL') === null ? EMBEDDED_PARTS : DEFAULT_PARTITIONS),
    redisUrl: settings.get('REDIS_URL'),
    secretsKey: settings.get('SECRETS_KEY'),
    consoleSecret: settings.get('CONSOLE_SECRET'),
    opsToken: settings.get('OPS_TOKEN'),
    allowPrivateSources: settings.get('ALLOW_PRIVATE_SOURCES'),
  };
}

/** Refuses 0 (a port that the system chooses), because the parts must know each other's ports. */
function portOf(
  settings: Settings,
  name: 'PORT' | 'OPS_PORT' | 'SIMULATOR_PORT' | 'DEMO_PORT' | 'CONSOLE_PORT',
): number {
  const port = settings.get(name);
  if (port > 0) return port;
  throw new ConfigError(
    `${name} must not be 0 under npm start, because its programs must know the ports of each other`,
  );
}

/** The address at which this process reaches one of the ports. */
export function localUrl({ host }: StartSettings, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
