import { Settings } from '@passerelle/settings';
import { readPagesBucket } from './settings';

const SECRETS_KEY = 'a key of at least thirty-two characters';

describe('PAGES_BUCKET_URL', () => {
  it('is where lists outlive the database, and nowhere without', () => {
    const read = (settings: Record<string, string>) => readPagesBucket(new Settings(settings));

    expect(read({ SECRETS_KEY })).toBeNull();
    expect(read({ SECRETS_KEY, PAGES_BUCKET_URL: 's3://lists/here' })).toMatchObject({
      bucket: 'lists',
      prefix: 'here/',
    });
  });

  it.each([
    [{ PAGES_BUCKET_URL: 's3://lists' }, 'PAGES_BUCKET_URL needs SECRETS_KEY, which seals what lies there'],
    [{ PAGES_BUCKET_URL: 'lists', SECRETS_KEY }, 'PAGES_BUCKET_URL must look like s3://bucket/prefix'],
    [
      { PAGES_BUCKET_URL: 's3://lists?public-url=https://cdn.example.org', SECRETS_KEY },
      'PAGES_BUCKET_URL takes no public-url: its lists have keys',
    ],
  ])('is refused by its name: %j', (settings, message) => {
    expect(() => readPagesBucket(new Settings(settings))).toThrow(message);
  });
});
