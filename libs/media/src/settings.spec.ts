import { ConfigError, Settings } from '@passerelle/settings';
import { photoUrl, readMediaSettings } from './settings';

const read = (environment: Record<string, string>): unknown => readMediaSettings(new Settings(environment));

describe('readMediaSettings', () => {
  it('has defaults', () => {
    expect(read({ DATA_DIR: '/var/data', BASE_URL: 'https://api.example.org' })).toEqual({
      location: { folder: '/var/data/media' },
      baseUrl: 'https://api.example.org',
    });
    expect(read({ PORT: '8080' })).toMatchObject({ baseUrl: 'http://localhost:8080' });
  });

  it('reads a folder or a bucket', () => {
    expect(read({ MEDIA_DIR: '/srv/photos' })).toMatchObject({ location: { folder: '/srv/photos' } });
    expect(read({ MEDIA_BUCKET_URL: 's3://photos/demo?region=eu-west-3' })).toMatchObject({
      location: { bucket: 'photos', prefix: 'demo/', region: 'eu-west-3' },
    });
  });

  it('reads the prefix of photo addresses', () => {
    expect(read({ MEDIA_BASE_URL: 'https://photos.example.org/' })).toMatchObject({
      baseUrl: 'https://photos.example.org',
    });
    expect(photoUrl('https://photos.example.org', 'a.jpg')).toBe('https://photos.example.org/media/a.jpg');
  });

  it.each([
    [{ MEDIA_DIR: '/a', MEDIA_BUCKET_URL: 's3://a' }, 'MEDIA_DIR and MEDIA_BUCKET_URL are both set: keep one of them'],
    [{ MEDIA_BUCKET_URL: 'photos' }, 'MEDIA_BUCKET_URL must look like s3://bucket/prefix'],
    [{ MEDIA_BASE_URL: 'photos' }, 'MEDIA_BASE_URL must be an http or https address without query, not "photos"'],
  ])('refuses a bad value with a message of one line: %j', (environment, message) => {
    expect(() => read(environment)).toThrow(new ConfigError(message));
  });
});
