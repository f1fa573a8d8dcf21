import { join } from 'node:path';
import { type LogLevel, Settings } from '@passerelle/settings';

/** The console's settings, parsed once from the environment. */
export interface ConsoleConfig {
  host: string;
  port: number;
  /** Where browsers reach it, without a slash at its end. */
  url: string;
  databaseUrl: string;
  /** What the keys of sessions are made from. */
  secretsKey: string;
  secretsKeyOld: string | null;
  /** What ingestors may read, as far as this process is set as they are. */
  inboxDir: string;
  /** `host:port` pairs that may be private. */
  allowPrivate: string[];
  /** The period of gateways that have none of their own. */
  refreshEverySeconds: number;
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-*` headers count. */
  trustProxy: string[];
  logLevel: LogLevel;
}

/** @throws ConfigError for the first variable that is missing or cannot be used. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): ConsoleConfig {
  const settings = new Settings(environment);
  const port = settings.get('CONSOLE_PORT');
  return {
    host: settings.get('HOST'),
    port,
    url: settings.get('CONSOLE_URL') ?? `http://localhost:${port}`,
    databaseUrl: settings.require('DATABASE_URL', 'the console needs a PostgreSQL database'),
    secretsKey: settings.require('SECRETS_KEY', 'the keys of the sessions of the console are made from it'),
    secretsKeyOld: settings.get('SECRETS_KEY_OLD'),
    inboxDir: settings.get('INBOX_DIR') ?? join(settings.get('DATA_DIR'), 'inbox'),
    allowPrivate: settings.get('ALLOW_PRIVATE_SOURCES'),
    refreshEverySeconds: settings.get('REFRESH_EVERY_SECONDS'),
    trustProxy: settings.get('TRUST_PROXY'),
    logLevel: settings.get('LOG_LEVEL'),
  };
}
