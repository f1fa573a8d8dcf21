import { isHttpAddress } from './site-address';

describe('isHttpAddress', () => {
  it.each([
    'https://agence.example',
    'HTTP://Agence.example:8080/a/b?c=d/e#f?g',
    'https://agence-été.example/a',
    'https://中国.example:65535',
    'https://agence.example/%C3%A9t%C3%A9',
    'https://[2001:db8::1]:8080/x',
    'https://[::ffff:1.2.3.4]',
  ])('accepts %s', (address) => {
    expect(isHttpAddress(address)).toBe(true);
  });

  it.each([
    '',
    'agence.example',
    'ftp://agence.example',
    'http:agence.example',
    'https://',
    'https:///path',
    'https://?a=b',
    'https://user:secret@agence.example/',
    'https://user@[::ffff:1.2.3.4]',
    'https://agence.example:65536',
    'https://agence.example:port',
    'https://agence.example/été',
    'https://agence.example/a b',
    'https://agence.example/%zz',
    'https://agence.example/<b>',
    'https://agence.example#a#b',
    'https://[not-an-address]/',
    'https://[::1]agence.example',
    'https://agence.example\n',
  ])('refuses %s', (address) => {
    expect(isHttpAddress(address)).toBe(false);
  });

  it('accepts at most 2,048 characters', () => {
    expect(isHttpAddress(`https://agence.example/${'x'.repeat(2_025)}`)).toBe(true);
    expect(isHttpAddress(`https://agence.example/${'x'.repeat(2_026)}`)).toBe(false);
  });
});
