import { ConfigError } from '@passerelle/settings';
import { parseBucketUrl } from './bucket-url';

describe('parseBucketUrl', () => {
  it('accepts a bucket of Amazon', () => {
    expect(parseBucketUrl('s3://photos?region=eu-west-3', 'MEDIA_BUCKET_URL')).toEqual({
      bucket: 'photos',
      prefix: '',
      endpoint: null,
      region: 'eu-west-3',
      pathStyle: false,
      publicUrl: null,
    });
  });

  it('accepts a folder in a bucket of another provider', () => {
    const url =
      's3://photos/agencies/all/?endpoint=http://127.0.0.1:9000&path-style=true&public-url=https://cdn.example.org/';

    expect(parseBucketUrl(url, 'MEDIA_BUCKET_URL')).toEqual({
      bucket: 'photos',
      prefix: 'agencies/all/',
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
      pathStyle: true,
      publicUrl: 'https://cdn.example.org',
    });
  });

  it.each([
    ['photos', 'must look like s3://bucket/prefix'],
    ['https://photos', 'must look like s3://bucket/prefix'],
    ['s3:///prefix', 'must look like s3://bucket/prefix'],
    ['s3://key:secret@photos', 'must not hold credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
    ['s3://photos?pathStyle=true', 'knows endpoint, region, path-style, public-url, not "pathStyle"'],
    ['s3://photos?path-style=yes', 'has a parameter path-style that is neither true nor false'],
    ['s3://photos?endpoint=127.0.0.1:9000', 'has a parameter endpoint that is no http or https address'],
  ])('rejects %s with a message that names the setting', (url, what) => {
    expect(() => parseBucketUrl(url, 'MEDIA_BUCKET_URL')).toThrow(new ConfigError(`MEDIA_BUCKET_URL ${what}`));
  });
});
