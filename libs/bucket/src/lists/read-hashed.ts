import type { Bucket } from '../store/bucket';
import { hashOf } from './list-index';

/** What lies in the bucket is not what was put there, or is not there. */
export class BucketLies extends Error {
  override readonly name = 'BucketLies';
}

/** @throws BucketLies when the object is another one than its hash says, or is gone */
export async function readHashed(bucket: Bucket, name: string, hash: string): Promise<Buffer> {
  const bytes = await bucket.readWhole(name);
  if (bytes === null) throw new BucketLies(`the object ${name} is gone`);
  if (hashOf(bytes) !== hash) throw new BucketLies(`the object ${name} has other bytes than its hash says`);
  return bytes;
}
