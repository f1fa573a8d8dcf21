import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noticeOf, shippedPackages } from './notice';

const ROOT = join(__dirname, '..', '..');
const lockfile = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as unknown;

describe('NOTICE', () => {
  it('lists the packages in the image ("npm run notice" updates it)', () => {
    expect(readFileSync(join(ROOT, 'NOTICE'), 'utf8')).toBe(noticeOf(lockfile));
  });

  it('is copied into the image with the licence', () => {
    expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toMatch(/^COPY (?=.*\bLICENSE\b)(?=.*\bNOTICE\b)/m);
  });

  it('omits development packages, and lists each version separately', () => {
    const packages = {
      '': { license: 'MIT' },
      'node_modules/b': { version: '2.0.0', license: 'MIT' },
      'node_modules/a/node_modules/b': { version: '1.0.0', license: 'ISC OR MIT' },
      'node_modules/c': { version: '1.0.0', license: 'GPL-3.0', dev: true },
    };
    expect(shippedPackages({ packages })).toEqual([
      { name: 'b', version: '1.0.0', licence: 'ISC OR MIT' },
      { name: 'b', version: '2.0.0', licence: 'MIT' },
    ]);
  });

  it.each([['GPL-3.0'], ['MIT AND AGPL-3.0'], [undefined]])('is not written for a package under %s', (license) => {
    const packages = { 'node_modules/new': { version: '1.0.0', ...(license !== undefined && { license }) } };
    expect(() => shippedPackages({ packages })).toThrow('new 1.0.0 has the licence');
  });
});
