import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A real S3 server in a separate process. */
export interface S3Server {
  /** Returns the MEDIA_BUCKET_URL for a bucket. */
  url(bucket: string, prefix?: string): string;
  /** Returns the public URL of a bucket's files. */
  httpUrl(bucket: string): string;
  stop(): Promise<void>;
}

/** The credentials that the server accepts, as environment variables. */
export const S3_CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const;

/**
 * The server creates page tokens with DES, which only OpenSSL's legacy provider supports. In strict mode, the server
 * checks signatures, but refuses every list, because it omits the slash after the bucket that the SDK signs.
 */
const PROGRAM = `
  const S3rver = require(process.argv[1]);
  const { strict, directory, buckets } = JSON.parse(process.argv[2]);
  const configureBuckets = buckets.map((name) => ({ name }));
  const options = { port: 0, address: '127.0.0.1', directory, silent: true, configureBuckets };
  // The input is never written to: it ends with the tests.
  process.stdin.resume().on('end', () => process.exit());
  new S3rver({ ...options, allowMismatchedSignatures: !strict }).run().then(({ port }) => console.log(port));
`;

/** @param directory the folder for the server's files */
export async function startS3Server(
  directory: string,
  buckets: readonly string[],
  { strict = false } = {},
): Promise<S3Server> {
  const flags = ['--openssl-legacy-provider', '-e', PROGRAM];
  const options = JSON.stringify({ strict, directory, buckets });
  const child = spawn(process.execPath, [...flags, require.resolve('@20minutes/s3rver'), options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: (bucket, prefix = '') => `s3://${bucket}/${prefix}?endpoint=http://127.0.0.1:${port}&path-style=true`,
    httpUrl: (bucket) => `http://127.0.0.1:${port}/${bucket}`,
    async stop() {
      const ended = once(child, 'exit');
      if (child.kill()) await ended;
    },
  };
}
