import { toPhotos } from './photos';

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

  it('keeps more than thirty photos', () => {
    expect(read(Array.from({ length: 60 }, (_, index) => `https://x.example/${index}.jpg`)).urls).toHaveLength(60);
  });

  it('counts a file of the archive instead of serving it', () => {
    expect(read(['IMG_01.JPG', 'photos/2.png'])).toEqual({
      urls: [],
      warnings: ['photo_in_archive IMG_01.JPG', 'photo_in_archive photos/2.png'],
    });
  });

  it.each([
    'https://x.example/nophoto.jpg',
    'https://x.example/img/no-image.png',
    'https://x.example/photo-non-disponible.jpg',
    'https://x.example/plan.pdf',
    'https://x.example',
    'ftp://x.example/1.jpg',
    'bientôt',
  ])('leaves out %j, which is no photo, and says so', (value) => {
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
