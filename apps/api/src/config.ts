import { ConfigError, type LogLevel, Settings } from '@passerelle/settings';
import { type MediaLocation, readMediaSettings } from '@passerelle/media';
import { z } from 'zod';

export interface ApiConfig {
  port: number;
  host: string;
  /** The public address of the API, as shown in `/v1` and openapi.json, without a final slash. */
  baseUrl: string;
  databaseUrl: string;
  /** The address of PostgreSQL itself if `databaseUrl` points to a pooler; null without a pooler. */
  databaseDirectUrl: string | null;
  /** Null for the default size. */
  databasePool: number | null;
  /** The address of a replica that serves the texts of listings; null without a replica. */
  databaseReadUrl: string | null;
  /** The Redis in which all API processes share the counters of the limits. If null, each process counts separately. */
  redisUrl: string | null;
  redisPrefix: string;
  /** `host:port` pairs of webhooks that may be private addresses. */
  allowPrivateSources: ReadonlySet<string>;
  /** The key that hashes API keys; null to use the installation's own secret. */
  secretsKey: string | null;
  secretsKeyOld: string | null;
  snapshotTtlSeconds: number;
  /** How long the pages of one pagination session come from one snapshot. */
  walkSeconds: number;
  /** How long the API still answers after the stop signal, while its readiness check already fails. */
  drainMs: number;
  /** Addresses and CIDR ranges of the proxies whose `X-Forwarded-*` headers count. */
  trustProxy: string[];
  requireHttps: boolean;
  logLevel: LogLevel;
  tracesEndpoint: string | null;
  hasAccessLog: boolean;
  mediaPlace: MediaLocation;
  /** Whether the obsolete setting PAGES_BUCKET_URL is set. */
  hasPagesBucket: boolean;
  /** Requests per minute for one gateway from one address; null for no limit. */
  rateLimitPerMinute: number | null;
  /** The bearer token for `/metrics`; null: the route is not available. */
  opsToken: string | null;
  securityContact: string | null;
  /** Requests per minute with a wrong key from one address, over all gateways. */
  refusedKeysPerMinute: number;
  /** Gateways with public keys, for the try-out page and the examples. */
  demoGateways: DemoGateway[];
}

export type DemoGateway = z.infer<typeof demoGateway>;

const demoGateway = z.object({ crm: z.string(), client: z.string(), key: z.string() });

/** @throws ConfigError for the first variable that is missing or invalid. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): ApiConfig {
  const settings = new Settings(environment);
  const port = settings.get('PORT');
  const trustProxy = settings.get('TRUST_PROXY');
  const requireHttps = settings.get('REQUIRE_HTTPS');
  if (requireHttps && trustProxy.length === 0) {
    throw new ConfigError(
      'REQUIRE_HTTPS needs TRUST_PROXY: TLS ends at a proxy, and without the address of the proxy every request would be refused',
    );
  }
  return {
    port,
    host: settings.get('HOST'),
    baseUrl: settings.get('BASE_URL') ?? `http://localhost:${port}`,
    databasePool: settings.get('DATABASE_POOL'),
    databaseUrl: settings.require('DATABASE_URL', 'the API needs a PostgreSQL database'),
    databaseDirectUrl: settings.get('DATABASE_DIRECT_URL'),
    databaseReadUrl: settings.get('DATABASE_READ_URL'),
    redisUrl: settings.get('REDIS_URL'),
    redisPrefix: settings.get('REDIS_PREFIX'),
    allowPrivateSources: new Set(settings.get('ALLOW_PRIVATE_SOURCES')),
    secretsKey: settings.get('SECRETS_KEY'),
    secretsKeyOld: settings.get('SECRETS_KEY_OLD'),
    tracesEndpoint: settings.get('OTEL_EXPORTER_OTLP_ENDPOINT'),
    snapshotTtlSeconds: settings.get('SNAPSHOT_TTL_SECONDS'),
    walkSeconds: settings.get('WALK_SECONDS'),
    drainMs: settings.get('DRAIN_SECONDS') * 1000,
    trustProxy,
    requireHttps,
    logLevel: settings.get('LOG_LEVEL'),
    hasAccessLog: settings.get('ACCESS_LOG'),
    mediaPlace: readMediaSettings(settings).location,
    hasPagesBucket: settings.get('PAGES_BUCKET_URL') !== null,
    rateLimitPerMinute: settings.get('RATE_LIMIT_PER_MINUTE'),
    refusedKeysPerMinute: settings.get('REFUSED_KEYS_PER_MINUTE'),
    opsToken: settings.get('OPS_TOKEN'),
    securityContact: settings.get('SECURITY_CONTACT'),
    demoGateways: demos(settings.get('DEMO_GATEWAYS')),
  };
}

function demos(text: string | null): DemoGateway[] {
  if (text === null) return [];
  try {
    return z.array(demoGateway).parse(JSON.parse(text));
  } catch {
    throw new ConfigError('DEMO_GATEWAYS must be a JSON array of {"crm", "client", "key"}');
  }
}
