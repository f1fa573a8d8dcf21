import { isIP } from 'node:net';
import { z } from 'zod';

/** The API's settings, as parsed once from the environment. */
export interface ApiConfig {
  port: number;
  host: string;
  /** Without a slash at its end; what discovery and openapi.json print. */
  baseUrl: string;
  databaseUrl: string;
  snapshotTtlSeconds: number;
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-*` headers count. */
  trustProxy: string[];
  requireHttps: boolean;
  logLevel: LogLevel;
  /** Requests per minute for one gateway from one address; null for no limit. */
  rateLimitPerMinute: number | null;
  /** Gateways whose keys are public, for the try-out page and the examples. */
  demoGateways: DemoGateway[];
}

export type LogLevel = (typeof LOG_LEVELS)[number];
export type DemoGateway = z.infer<typeof demoGateway>;

/** A setting that cannot be used; its message is one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const MAX_TTL_SECONDS = 365 * 24 * 3600;
const demoGateway = z.object({ crm: z.string(), client: z.string(), key: z.string() });

/** @throws ConfigError for the first variable that is missing or cannot be used. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): ApiConfig {
  // An empty variable is how compose files and shells say "not set".
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const port = integer('PORT', read('PORT'), { min: 0, max: 65_535 }) ?? 3000;
  const trustProxy = proxies(read('TRUST_PROXY'));
  const requireHttps = flag('REQUIRE_HTTPS', read('REQUIRE_HTTPS'));
  if (requireHttps && trustProxy.length === 0) {
    throw new ConfigError(
      'REQUIRE_HTTPS needs TRUST_PROXY: TLS ends at a proxy, and without its address no request could ever be let in',
    );
  }
  return {
    port,
    host: read('HOST') ?? '127.0.0.1',
    baseUrl: httpUrl('BASE_URL', read('BASE_URL') ?? `http://localhost:${port}`),
    databaseUrl: postgresUrl(read('DATABASE_URL')),
    snapshotTtlSeconds:
      integer('SNAPSHOT_TTL_SECONDS', read('SNAPSHOT_TTL_SECONDS'), { min: 0, max: MAX_TTL_SECONDS }) ?? 3600,
    trustProxy,
    requireHttps,
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL'), LOG_LEVELS) ?? 'info',
    rateLimitPerMinute:
      integer('RATE_LIMIT_PER_MINUTE', read('RATE_LIMIT_PER_MINUTE'), { min: 1, max: 1_000_000 }) ?? null,
    demoGateways: demos(read('DEMO_GATEWAYS')),
  };
}

function integer(name: string, text: string | undefined, { min, max }: { min: number; max: number }): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) {
    throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
  }
  return value;
}

function flag(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw new ConfigError(`${name} must be true or false, not "${text}"`);
}

function oneOf<T extends string>(name: string, text: string | undefined, allowed: readonly T[]): T | null {
  if (text === undefined) return null;
  const value = allowed.find((word) => word === text);
  if (value === undefined) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}"`);
  return value;
}

function httpUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(`${name} must be an http or https address without query, not "${text}"`);
  }
  return url.href.replace(/\/+$/, '');
}

function postgresUrl(text: string | undefined): string {
  // The value may hold a password, so it is not repeated.
  if (text === undefined) throw new ConfigError('DATABASE_URL is missing: the API needs a PostgreSQL database');
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol)) {
    throw new ConfigError('DATABASE_URL must be an address that starts with postgres://');
  }
  return text;
}

function proxies(text: string | undefined): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      if (isCidr(entry)) return entry;
      throw new ConfigError(
        `TRUST_PROXY must be a comma-separated list of addresses or CIDR ranges (10.0.0.0/8), not "${entry}"`,
      );
    });
}

function isCidr(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  // A range of every address would let each client name its own.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

function demos(text: string | undefined): DemoGateway[] {
  if (text === undefined) return [];
  try {
    return z.array(demoGateway).parse(JSON.parse(text));
  } catch {
    throw new ConfigError('DEMO_GATEWAYS must be a JSON array of {"crm", "client", "key"}');
  }
}
