import { isUrl } from '../index';

describe('isUrl', () => {
  it('accepts accents, even after many checks', () => {
    let taken = 0;
    for (let n = 0; n < 100_000; n += 1) if (isUrl('https://agence-été.example/a')) taken += 1;
    expect(taken).toBe(100_000);
  });

  it('accepts a relative address only with a base, and rejects an invalid port', () => {
    expect([isUrl('/été'), isUrl('/été', 'https://a.example'), isUrl('https://a.example:99999')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
