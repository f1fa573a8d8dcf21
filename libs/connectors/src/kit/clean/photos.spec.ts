import { listPhotos, photoFingerprint, toPhotos } from './photos';

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

  it('keeps one photo of two signed URLs that differ only in their signature', () => {
    const signed = 'https://x.example/1.jpg?token=a&expires=';
    expect(read([`${signed}1`, `${signed}2`]).urls).toEqual([`${signed}1`]);
  });

  it('rejects a URL with a user and a password, and hides both in the warning', () => {
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

  it('reports a file name as a missing photo when the format cannot deliver files', () => {
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
  ])('omits %j, which is not a photo, and warns about it', (value) => {
    expect(read([value])).toEqual({ urls: [], warnings: [`photo_invalid ${value}`] });
  });

  it('converts captions to plain text', () => {
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

  it('lists each file once, with the URL that the feed has for it', () => {
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

  it('returns the size of a photo when the feed has both width and height', () => {
    const value = 'https://x.example/1.jpg';
    expect(list({ value, largeur: '800', hauteur: 600 })).toMatchObject([{ largeur: 800, hauteur: 600 }]);
    expect(list({ value, largeur: '800' })).toEqual([{ url: value, empreinte: expect.any(String) as string }]);
    expect(list({ value, largeur: 0, hauteur: 0 })).toEqual([{ url: value, empreinte: expect.any(String) as string }]);
  });
});

describe('photoFingerprint', () => {
  it('returns the same value for a signed URL that was renewed', () => {
    const one = photoFingerprint('https://x.example/1.jpg?Expires=1&Signature=a&Key-Pair-Id=b');
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    expect(photoFingerprint('https://x.example/1.jpg?Expires=2&Signature=c&Key-Pair-Id=b')).toBe(one);
  });

  it('returns a different value for each of many photos', () => {
    const urls = Array.from({ length: 20_000 }, (_, index) => `https://x.example/photos/${index}.jpg`);
    expect(new Set(urls.map(photoFingerprint)).size).toBe(urls.length);
  });

  it('returns a different value when the query says that the photo changed', () => {
    expect(photoFingerprint('https://x.example/1.jpg?20240301')).not.toBe(
      photoFingerprint('https://x.example/1.jpg?20240401'),
    );
  });
});
