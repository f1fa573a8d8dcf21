import { generatePassword, hashPassword, isPassword, MIN_PASSWORD_LENGTH } from './password';

describe('a password', () => {
  it('matches its own hash, and other passwords do not', async () => {
    const stored = await hashPassword('correct horse');
    expect(await isPassword('correct horse', stored)).toBe(true);
    expect(await isPassword('correct horsf', stored)).toBe(false);
    expect(await isPassword('', stored)).toBe(false);
  });

  it('is stored as a hash with its own salt', async () => {
    const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(first).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(first).not.toBe(second);
  });

  it('matches in composed and decomposed Unicode', async () => {
    expect(await isPassword('e\u0301te\u0301 a\u0300 Sète', await hashPassword('été à Sète'))).toBe(true);
  });

  it.each(['', 'x', 'plain$correct horse', 'scrypt$32768$8$3$$'])(
    'does not match an invalid hash: %j',
    async (stored) => {
      expect(await isPassword('correct horse', stored)).toBe(false);
    },
  );

  it('is long enough and unique when it is generated', () => {
    const made = new Set(Array.from({ length: 100 }, generatePassword));
    expect(made.size).toBe(100);
    for (const password of made) expect(password.length).toBeGreaterThanOrEqual(MIN_PASSWORD_LENGTH);
  });
});
