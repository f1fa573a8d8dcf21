import { PassThrough, Readable } from 'node:stream';
import type { GetObjectCommandOutput, ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3';
import { codeOf } from '../error-code';
import { lazy } from '../lazy';
import { type Bucket, BucketError, type ByteRange, type StoredFile, type StoreProblem } from './bucket';
import type { BucketLocation } from './bucket-url';

/** The only file that uses the AWS SDK. It loads the SDK at the first request. */

export interface BucketTimes {
  connectMs: number;
  /** The time until a response begins, and the longest pause within it. */
  requestMs: number;
}

const USUAL_TIMES: BucketTimes = { connectMs: 5_000, requestMs: 60_000 };

/** Connects at the first request. @param what the purpose of the bucket, for messages: `media` */
export function openBucket(place: BucketLocation, what: string, times = USUAL_TIMES): Bucket {
  const { bucket: Bucket, prefix } = place;
  const connect = lazy(() => connectTo(place, times));
  const objectOf = (name: string): { Bucket: string; Key: string } => ({ Bucket, Key: prefix + name });
  const failed = (error: unknown): BucketError => bucketError(`the ${what} bucket ${Bucket}`, error);
  const ask = async <T>(request: (client: S3Client, sdk: Sdk) => Promise<T>): Promise<T> => {
    try {
      const { client, sdk } = await connect();
      return await request(client, sdk);
    } catch (error) {
      throw failed(error);
    }
  };
  /** A HEAD response has no body, so it does not say whether the file or the whole bucket is missing. */
  const checkBucket = (): Promise<unknown> =>
    ask((client, { HeadBucketCommand }) => client.send(new HeadBucketCommand({ Bucket })));
  return {
    put: (name, bytes, headers) =>
      ask(async (client, { PutObjectCommand }) => {
        const said =
          headers === undefined ? {} : { ContentType: headers.contentType, CacheControl: headers.cacheControl };
        await client.send(new PutObjectCommand({ ...objectOf(name), ...said, Body: bytes }));
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
          const answer = await client.send(new GetObjectCommand({ ...objectOf(name), ...rangeHeader(range) }));
          return failingWith(failed, bodyOf(answer));
        }),
      ),
    remove: (name) =>
      ask(async (client, { DeleteObjectCommand }) => {
        await client.send(new DeleteObjectCommand(objectOf(name)));
      }),
    async *list(start = '') {
      let page: ListObjectsV2CommandOutput | undefined;
      do {
        const next = page?.NextContinuationToken;
        const token = next === undefined ? {} : { ContinuationToken: next };
        page = await ask((client, { ListObjectsV2Command }) =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix + start, ...token })),
        );
        yield* (page.Contents ?? []).map(({ Key = '', Size = 0, LastModified = new Date(0) }): StoredFile => ({
          name: Key.slice(prefix.length),
          bytes: Size,
          modifiedAt: LastModified,
        }));
      } while (page.IsTruncated === true);
    },
    close() {
      void connect().then(({ client }) => {
        client.destroy();
      });
    },
  };
}

type Sdk = typeof import('@aws-sdk/client-s3');

async function connectTo(
  { endpoint, region, pathStyle }: BucketLocation,
  { connectMs, requestMs }: BucketTimes,
): Promise<{ client: S3Client; sdk: Sdk }> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
    forcePathStyle: pathStyle,
    // Many services do not support the SDK's default checksums. An upload's signature contains a hash anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: requestMs,
      throwOnRequestTimeout: true,
      // The SDK's request timeout covers only the response headers, not the body.
      socketTimeout: requestMs,
    },
  });
  return { client, sdk };
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (Body instanceof Readable) return Body;
  throw new Error('the answer has no body');
}

function failingWith(failed: (error: unknown) => BucketError, body: Readable): Readable {
  const passed = new PassThrough();
  body.on('error', (error) => passed.destroy(failed(error)));
  passed.on('close', () => body.destroy());
  return body.pipe(passed);
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

function bucketError(bucket: string, cause: unknown): BucketError {
  const problem = problemOf(cause);
  const sentences: Readonly<Record<StoreProblem, string>> = {
    full: `${bucket} is full (${codeOf(cause)})`,
    refused: `${bucket} refuses our credentials (${codeOf(cause)})`,
    unavailable: ['NoSuchBucket', 'NotFound'].includes(codeOf(cause))
      ? `${bucket} does not exist`
      : `${bucket} cannot be reached (${codeOf(cause)})`,
  };
  return new BucketError(problem, sentences[problem], { cause });
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
