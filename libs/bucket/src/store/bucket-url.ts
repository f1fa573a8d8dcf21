import { isUrl, trimEndOf } from '@passerelle/domain';
import { ConfigError } from '@passerelle/settings';

/** A bucket and its address. Credentials are not part of it: the SDK finds them in the environment. */
export interface BucketLocation {
  bucket: string;
  /** The prefix of every name; empty or ending in a slash. */
  prefix: string;
  /** If null, the SDK derives the address from the region. */
  endpoint: string | null;
  /** If null, the SDK reads it from the environment. */
  region: string | null;
  /** Whether the bucket is in the path of an address instead of its host. */
  pathStyle: boolean;
  /** The public address of the bucket, without a slash at the end. */
  publicUrl: string | null;
}

const PARAMETERS = ['endpoint', 'region', 'path-style', 'public-url'];

/** `s3://bucket/prefix?endpoint=…&region=…&path-style=true&public-url=…` @throws ConfigError naming the setting */
export function parseBucketUrl(text: string, setting: string): BucketLocation {
  const bad = (what: string): ConfigError => new ConfigError(`${setting} ${what}`);
  if (!isUrl(text)) throw bad('must look like s3://bucket/prefix');
  const { protocol, hostname, username, password, pathname, searchParams } = new URL(text);
  if (protocol !== 's3:' || hostname === '') throw bad('must look like s3://bucket/prefix');
  if (username !== '' || password !== '')
    throw bad('must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw bad(`knows ${PARAMETERS.join(', ')}, not "${unknown}"`);
  const prefix = trimEndOf(decodeURIComponent(pathname).replace(/^\/+/, ''), '/');
  const endpoint = addressIn(searchParams, 'endpoint', bad);
  const publicUrl = addressIn(searchParams, 'public-url', bad);
  return {
    bucket: hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    // Services other than Amazon's have no regions, but every signature must contain one.
    region: searchParams.get('region') ?? (endpoint === null ? null : 'us-east-1'),
    pathStyle: flagIn(searchParams, 'path-style', bad),
    publicUrl: publicUrl === null ? null : trimEndOf(publicUrl, '/'),
  };
}

type Bad = (what: string) => ConfigError;

function addressIn(parameters: URLSearchParams, name: string, bad: Bad): string | null {
  const text = parameters.get(name);
  if (text === null) return null;
  if (isUrl(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw bad(`has a parameter ${name} that is no http or https address`);
}

function flagIn(parameters: URLSearchParams, name: string, bad: Bad): boolean {
  const text = parameters.get(name) ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw bad(`has a parameter ${name} that is neither true nor false`);
}
