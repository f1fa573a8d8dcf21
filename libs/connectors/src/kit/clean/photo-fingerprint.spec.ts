import { photoFingerprint, unsignedUrl } from './photo-fingerprint';

describe('unsignedUrl', () => {
  it.each([
    ['https://x.example/1.jpg', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?20240301', 'https://x.example/1.jpg?20240301'],
    ['https://x.example/1.jpg?v=3&w=800', 'https://x.example/1.jpg?v=3&w=800'],
    ['https://x.example/1.jpg?expires=1', 'https://x.example/1.jpg?expires=1'],
    ['https://x.example/1.jpg?hash=abc', 'https://x.example/1.jpg?hash=abc'],
    ['https://x.example/1.jpg?w=8&X-Amz-Date=1&X-Amz-Expires=60&X-Amz-Signature=a', 'https://x.example/1.jpg?w=8'],
    ['https://x.example/1.jpg?X-Goog-Date=1&X-Goog-Signature=a', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?Expires=1&Signature=a&Key-Pair-Id=b', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?AWSAccessKeyId=k&Expires=1&Signature=a', 'https://x.example/1.jpg'],
    ['https://x.example/1.jpg?sv=2020&st=1&se=2&sr=b&sp=r&sig=a&v=2', 'https://x.example/1.jpg?v=2'],
    ['https://x.example/1.jpg?token=a&expires=1&v=2', 'https://x.example/1.jpg?v=2'],
  ])('keeps of %j what names the photo', (url, expected) => {
    expect(unsignedUrl(url)).toBe(expected);
  });
});

describe('photoFingerprint', () => {
  it('is the same for a signed URL that was renewed', () => {
    const one = photoFingerprint('https://x.example/1.jpg?Expires=1&Signature=a&Key-Pair-Id=b');
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(photoFingerprint('https://x.example/1.jpg?Expires=2&Signature=c&Key-Pair-Id=b')).toBe(one);
  });

  it('is another one for each of many photos', () => {
    const urls = Array.from({ length: 20_000 }, (_, index) => `https://x.example/photos/${index}.jpg`);
    expect(new Set(urls.map(photoFingerprint)).size).toBe(urls.length);
  });

  it('differs when the query says that the photo changed', () => {
    expect(photoFingerprint('https://x.example/1.jpg?20240301')).not.toBe(
      photoFingerprint('https://x.example/1.jpg?20240401'),
    );
  });
});
