import { listPhotos, photoFingerprint, toPhotos, unsignedUrl } from './photos';

function read(values: unknown[]): { urls: string[]; warnings: string[] } {
  const warnings: string[] = [];
  const photos = toPhotos(
    values.map((value) => ({ value })),
    'photo',
    (code, _field, value) => warnings.push(`${code} ${value}`),
  );
  return { urls: photos.map((photo) => photo.url), warnings };
}

describe('toPhotos', () => {
  it('keeps the order and drops duplicates and empty values', () => {
    expect(
      read(['https://x.example/2.jpg', '', null, 'https://x.example/1.jpg', undefined, 'https://x.example/2.jpg']),
    ).toEqual({
      urls: ['https://x.example/2.jpg', 'https://x.example/1.jpg'],
      warnings: [],
    });
  });

  it('takes a signed URL met twice for one photo', () => {
    const signed = 'https://x.example/1.jpg?token=a&expires=';
    expect(read([`${signed}1`, `${signed}2`]).urls).toEqual([`${signed}1`]);
  });

  it('keeps neither the user nor the password of an address', () => {
    expect(read(['https://user:secret@x.example/1.jpg'])).toEqual({
      urls: [],
      warnings: ['photo_invalid https://…@x.example/1.jpg'],
    });
  });

  it('keeps more than thirty photos', () => {
    expect(read(Array.from({ length: 60 }, (_, index) => `https://x.example/${index}.jpg`)).urls).toHaveLength(60);
  });

  it.each([
    'https://x.example/3.webp',
    'https://x.example/a_2.jpg',
    'https://x.example/maison_12.JPG',
    'http://x.example/.png',
  ])('keeps %j', (value) => {
    expect(read([value])).toEqual({ urls: [value], warnings: [] });
  });

  it('counts the name of a file when the format cannot bring files', () => {
    expect(read(['IMG_01.JPG', 'photos/2.png'])).toEqual({
      urls: [],
      warnings: ['photo_missing IMG_01.JPG', 'photo_missing photos/2.png'],
    });
  });

  it.each([
    'https://x.example/nophoto.jpg',
    'https://x.example/img/no-image.png',
    'https://x.example/photo-non-disponible.jpg',
    'https://x.example/no-photo-12.jpg',
    'https://x.example/a/sans_photo_3.JPG',
    'https://x.example/default-image.webp',
    'https://x.example/1/placeholder.2.png',
    'https://x.example/plan.pdf',
    'https://x.example/plan.pdf#/1.jpg',
    'https://x.jpg',
    'https://x.example',
    'ftp://x.example/1.jpg',
    'bientôt',
  ])('leaves out %j, which is no photo, and notices it', (value) => {
    expect(read([value])).toEqual({ urls: [], warnings: [`photo_invalid ${value}`] });
  });

  it('keeps captions as plain text', () => {
    const [photo] = toPhotos(
      [{ value: 'https://x.example/1.jpg', legende: 'S&eacute;jour<br>' }],
      'photo',
      () => undefined,
    );
    expect(photo?.legende).toBe('Séjour');
  });
});

describe('listPhotos', () => {
  const list = (...sources: Parameters<typeof listPhotos>[0] extends Iterable<infer S> ? S[] : never): unknown[] =>
    listPhotos(sources, 'photo', () => undefined);

  it('names files, with the address beside them, each once', () => {
    expect(
      list(
        { value: ' IMG_1.JPG ', legende: 'Salon' },
        { file: 'bild_17' },
        { file: 'a.jpg', value: 'https://x.example/a.jpg' },
        { value: 'img_1.jpg' },
        { value: 'https://x.example/a.jpg' },
      ),
    ).toEqual([
      { file: 'IMG_1.JPG', legende: 'Salon', field: 'photo' },
      { file: 'bild_17', field: 'photo' },
      { file: 'a.jpg', url: 'https://x.example/a.jpg', field: 'photo' },
    ]);
  });

  it('returns the size of a photo when the feed gives both sides', () => {
    const value = 'https://x.example/1.jpg';
    expect(list({ value, largeur: '800', hauteur: 600 })).toMatchObject([{ largeur: 800, hauteur: 600 }]);
    expect(list({ value, largeur: '800' })).toEqual([{ url: value, empreinte: expect.any(String) as string }]);
    expect(list({ value, largeur: 0, hauteur: 0 })).toEqual([{ url: value, empreinte: expect.any(String) as string }]);
  });
});

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
