import { toFlag } from './flag';

describe('toFlag', () => {
  it.each(['OUI', 'oui', 'O', 'Y', 'yes', 'true', 'TRUE', '1', '2', 'ja', 'sí', 'applies', ' Oui ', true, 1])(
    'takes %j for a yes',
    (value) => {
      expect(toFlag(value)).toBe(true);
    },
  );

  it.each(['NON', 'non', 'N', 'no', 'false', '0', 'nein', 'does-not-apply', false, 0, '0.00'])(
    'takes %j for a no',
    (value) => {
      expect(toFlag(value)).toBe(false);
    },
  );

  it.each(['', 'unknown', '?', 'peut-être', null, undefined, -1, {}])('takes %j for unknown', (value) => {
    expect(toFlag(value)).toBeUndefined();
  });
});
