export { codeOf } from './error-code';
export { lazy } from './lazy';
export type { ByteRange, StoredFile, StoreProblem } from './store/bucket';
export { BucketError } from './store/bucket';
export { type BucketPlace, parseBucketUrl } from './store/bucket-url';
export { openBucket } from './store/s3-bucket';
