import { returnPath } from './return-path';

describe('returnPath', () => {
  it.each(['/', '/gateways?state=held&page=2', '/gateways/kyero/a', '/runs/12'])('keeps the path %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/%2e//evil.example',
    '/./\\evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    'javascript:alert(1)',
    'gateways',
    'http://[',
    '/sign-in?token=x',
    '/sign-out',
  ])('returns the first page instead of %j', (path) => {
    expect(returnPath(path)).toBe('/');
  });
});
