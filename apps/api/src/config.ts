import { isIP } from 'node:net';
import { ConfigError, LOG_LEVELS, type LogLevel, Settings } from '@passerelle/domain';
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

export type DemoGateway = z.infer<typeof demoGateway>;

const MAX_TTL_SECONDS = 365 * 24 * 3600;
const demoGateway = z.object({ crm: z.string(), client: z.string(), key: z.string() });

/** @throws ConfigError for the first variable that is missing or cannot be used. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): ApiConfig {
  const settings = new Settings(environment);
  const port = settings.integer('PORT', { min: 0, max: 65_535 }) ?? 3000;
  const trustProxy = settings.list('TRUST_PROXY').map(addressOrRange);
  const requireHttps = settings.flag('REQUIRE_HTTPS');
  if (requireHttps && trustProxy.length === 0) {
    throw new ConfigError(
      'REQUIRE_HTTPS needs TRUST_PROXY: TLS ends at a proxy, and without its address no request could ever be let in',
    );
  }
  const databaseUrl = settings.address('DATABASE_URL', ['postgres', 'postgresql']);
  if (databaseUrl === undefined) throw new ConfigError('DATABASE_URL is missing: the API needs a PostgreSQL database');
  return {
    port,
    host: settings.text('HOST') ?? '127.0.0.1',
    baseUrl: httpUrl('BASE_URL', settings.text('BASE_URL') ?? `http://localhost:${port}`),
    databaseUrl,
    snapshotTtlSeconds: settings.integer('SNAPSHOT_TTL_SECONDS', { min: 0, max: MAX_TTL_SECONDS }) ?? 3600,
    trustProxy,
    requireHttps,
    logLevel: settings.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
    rateLimitPerMinute: settings.integer('RATE_LIMIT_PER_MINUTE', { min: 1, max: 1_000_000 }) ?? null,
    demoGateways: demos(settings.text('DEMO_GATEWAYS')),
  };
}

function httpUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(`${name} must be an http or https address without query, not "${text}"`);
  }
  return url.href.replace(/\/+$/, '');
}

function addressOrRange(entry: string): string {
  if (isCidr(entry)) return entry;
  throw new ConfigError(
    `TRUST_PROXY must be a comma-separated list of addresses or CIDR ranges (10.0.0.0/8), not "${entry}"`,
  );
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
