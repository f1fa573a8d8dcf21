import { Readable } from 'node:stream';
import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { codeOf } from '../error-code';
import { lazy } from '../lazy';
import { contentTypeOf } from '../photo-name';
import type { BucketPlace } from './bucket-url';
import { type ByteRange, type MediaStore, MediaStoreError, type StoredFile, type StoreProblem } from './media-store';

/** Everything that the AWS SDK does for us: this file alone knows it. It is loaded at the first request. */

const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** A year: a name never means another content. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** Photos in an S3-compatible bucket, each put in one request: a bucket shows a file whole or not at all. */
export function openS3Store(place: BucketPlace): MediaStore {
  const { bucket: Bucket, prefix, publicUrl } = place;
  const connect = lazy(() => connectTo(place));
  const objectOf = (name: string): { Bucket: string; Key: string } => ({ Bucket, Key: prefix + name });
  const ask = async <T>(request: (client: S3Client, sdk: Sdk) => Promise<T>): Promise<T> => {
    try {
      const { client, sdk } = await connect();
      return await request(client, sdk);
    } catch (error) {
      throw storeError(Bucket, error);
    }
  };
  /** A HEAD has no body to say what is missing: the file or the whole bucket. */
  const checkBucket = (): Promise<unknown> =>
    ask((client, { HeadBucketCommand }) => client.send(new HeadBucketCommand({ Bucket })));
  return {
    put: (name, bytes) =>
      ask(async (client, { PutObjectCommand }) => {
        const type = { ContentType: contentTypeOf(name), CacheControl: CACHE_CONTROL };
        await client.send(new PutObjectCommand({ ...objectOf(name), ...type, Body: bytes }));
      }),
    async find(name) {
      const file = await ask((client, { HeadObjectCommand }) =>
        ifThere(async () => {
          const { ContentLength, LastModified } = await client.send(new HeadObjectCommand(objectOf(name)));
          return { name, bytes: ContentLength ?? 0, modifiedAt: LastModified ?? new Date(0) };
        }),
      );
      if (file === null) await checkBucket();
      return file;
    },
    read: (name, range) =>
      ask((client, { GetObjectCommand }) =>
        ifThere(async () => {
          const { Body } = await client.send(new GetObjectCommand({ ...objectOf(name), ...rangeHeader(range) }));
          if (Body instanceof Readable) return Body;
          throw new Error('the answer has no body');
        }),
      ),
    remove: (name) =>
      ask(async (client, { DeleteObjectCommand }) => {
        await client.send(new DeleteObjectCommand(objectOf(name)));
      }),
    async *list() {
      let page: ListObjectsV2CommandOutput | undefined;
      do {
        const next = page?.NextContinuationToken;
        const token = next === undefined ? {} : { ContinuationToken: next };
        page = await ask((client, { ListObjectsV2Command }) =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, ...token })),
        );
        yield* (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }): StoredFile => ({
          name: Key.slice(prefix.length),
          bytes: Size,
          modifiedAt: LastModified,
        }));
      } while (page.IsTruncated === true);
    },
    sweep: () => Promise.resolve(),
    publicUrl: (name) => (publicUrl === null ? null : `${publicUrl}/${prefix}${name}`),
    close() {
      void connect().then(({ client }) => {
        client.destroy();
      });
    },
  };
}

type Sdk = typeof import('@aws-sdk/client-s3');

async function connectTo({ endpoint, region, pathStyle }: BucketPlace): Promise<{ client: S3Client; sdk: Sdk }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
    forcePathStyle: pathStyle,
    // The checksums that the SDK adds of itself are unknown to many other services. What is put is signed with its hash.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  return { client, sdk };
}

function rangeHeader(range: ByteRange | undefined): { Range?: string } {
  return range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
}

async function ifThere<T>(request: () => Promise<T>): Promise<T | null> {
  try {
    return await request();
  } catch (error) {
    if (['NotFound', 'NoSuchKey'].includes(codeOf(error))) return null;
    throw error;
  }
}

function storeError(bucket: string, cause: unknown): MediaStoreError {
  const problem = problemOf(cause);
  const sentences: Readonly<Record<StoreProblem, string>> = {
    full: `the media bucket ${bucket} is full (${codeOf(cause)})`,
    refused: `the media bucket ${bucket} refuses our credentials (${codeOf(cause)})`,
    unavailable: ['NoSuchBucket', 'NotFound'].includes(codeOf(cause))
      ? `the media bucket ${bucket} does not exist`
      : `the media bucket ${bucket} cannot be reached (${codeOf(cause)})`,
  };
  return new MediaStoreError(problem, sentences[problem], { cause });
}

const STATUS_PROBLEMS: Readonly<Record<number, StoreProblem>> = { 401: 'refused', 403: 'refused', 507: 'full' };

function problemOf(error: unknown): StoreProblem {
  const name = codeOf(error);
  if (/quota|storagefull|insufficientstorage/i.test(name)) return 'full';
  if (name === 'CredentialsProviderError') return 'refused';
  return STATUS_PROBLEMS[statusOf(error)] ?? 'unavailable';
}

function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return 0;
  const metadata = error.$metadata;
  const status = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata;
  return status ? Number(metadata.httpStatusCode) : 0;
}
