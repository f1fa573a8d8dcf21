export { codeOf } from './error-code';
export { lazy } from './lazy';
export { type Bucket, BucketError, type ByteRange, type StoredFile, type StoreProblem } from './store/bucket';
export { type BucketLocation, parseBucketUrl } from './store/bucket-url';
export { openBucket } from './store/s3-bucket';
