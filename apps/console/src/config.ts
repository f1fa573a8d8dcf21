import { join } from 'node:path';
import { ConfigError, type LogLevel, Settings, type ShownSetting, shownSettings } from '@passerelle/settings';
import type { ProviderConfig } from './access/provider';
import type { TrustedHeaderConfig } from './access/trusted-header';

export interface ConsoleConfig {
  host: string;
  port: number;
  /** The address for browsers, without a slash at its end. */
  url: string;
  databaseUrl: string;
  /** The address of PostgreSQL itself if `databaseUrl` points to a pooler; else null. */
  databaseDirectUrl: string | null;
  /** Null for the default size. */
  databasePool: number | null;
  consoleSecret: string;
  /** Seals the sources, webhooks and keys that operators enter. */
  secretsKey: string;
  secretsKeyOld: string | null;
  /** The limits on sources, equal to the ingestors' limits if this process has the same settings. */
  inboxDir: string;
  /** `host:port` pairs that may be private addresses. */
  allowPrivate: string[];
  refreshEverySeconds: number;
  snapshotTtlSeconds: number;
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-*` headers are trusted. */
  trustProxy: string[];
  provider: ProviderConfig | null;
  trustedHeader: TrustedHeaderConfig | null;
  /** The token for `/metrics`; null: no access. */
  opsToken: string | null;
  logLevel: LogLevel;
  settings: ShownSetting[];
}

/** @throws ConfigError for the first variable that is missing or invalid. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): ConsoleConfig {
  const settings = new Settings(environment);
  const port = settings.get('CONSOLE_PORT');
  const secretsKey = settings.require('SECRETS_KEY', 'it encrypts the sources that operators enter in the console');
  return {
    host: settings.get('HOST'),
    port,
    url: settings.get('CONSOLE_URL') ?? `http://localhost:${port}`,
    databaseUrl: settings.require('DATABASE_URL', 'the console needs a PostgreSQL database'),
    databaseDirectUrl: settings.get('DATABASE_DIRECT_URL'),
    databasePool: settings.get('DATABASE_POOL'),
    consoleSecret: consoleSecretOf(settings, secretsKey),
    secretsKey,
    secretsKeyOld: settings.get('SECRETS_KEY_OLD'),
    inboxDir: settings.get('INBOX_DIR') ?? join(settings.get('DATA_DIR'), 'inbox'),
    allowPrivate: settings.get('ALLOW_PRIVATE_SOURCES'),
    refreshEverySeconds: settings.get('REFRESH_EVERY_SECONDS'),
    snapshotTtlSeconds: settings.get('SNAPSHOT_TTL_SECONDS'),
    trustProxy: settings.get('TRUST_PROXY'),
    provider: parseProvider(settings),
    trustedHeader: parseTrustedHeader(settings),
    opsToken: settings.get('OPS_TOKEN'),
    logLevel: settings.get('LOG_LEVEL'),
    settings: shownSettings(environment, 'console'),
  };
}

function consoleSecretOf(settings: Settings, secretsKey: string): string {
  const secret = settings.require(
    'CONSOLE_SECRET',
    'it signs the sessions of the console; make one with "openssl rand -base64 32" and give it to the console only',
  );
  // Other programs know SECRETS_KEY, and could forge a session with it.
  if (secret !== secretsKey) return secret;
  throw new ConfigError('CONSOLE_SECRET must not be SECRETS_KEY: make one with "openssl rand -base64 32"');
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

function parseProvider(settings: Settings): ProviderConfig | null {
  const clientId = settings.get('OIDC_CLIENT_ID');
  const clientSecret = settings.get('OIDC_CLIENT_SECRET');
  const roleClaim = settings.get('OIDC_ROLE_CLAIM');
  const issuer = settings.get('OIDC_ISSUER');
  if (issuer === null) return null;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !THIS_MACHINE.includes(hostname)) {
    throw new ConfigError(
      'OIDC_ISSUER must be an https address: over http, answers of the provider could be changed on the way',
    );
  }
  if (clientId === null || clientSecret === null) {
    throw new ConfigError('OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is missing: the provider knows the console by both');
  }
  return { issuer, clientId, clientSecret, roleClaim };
}

function parseTrustedHeader(settings: Settings): TrustedHeaderConfig | null {
  const [name, proxies] = [settings.get('CONSOLE_TRUSTED_HEADER'), settings.get('CONSOLE_TRUSTED_PROXIES')];
  if (name === null) return null;
  if (proxies.length > 0) return { name, proxies };
  throw new ConfigError(
    'CONSOLE_TRUSTED_PROXIES is missing: without it CONSOLE_TRUSTED_HEADER would let every client in',
  );
}
