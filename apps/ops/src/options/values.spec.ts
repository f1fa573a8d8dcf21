import { UsageError } from '../errors';
import { BadValue, parseCalendarDate, parseDuration } from '@passerelle/operations';
import { parseApiKey, parseNamedValues, parseWholeNumber } from './values';

describe('parseWholeNumber', () => {
  it('accepts numbers from 1 to the given maximum', () => {
    expect(parseWholeNumber('--limit', '1', 50)).toBe(1);
    expect(parseWholeNumber('--limit', '50', 50)).toBe(50);
    expect(parseWholeNumber('ID', '9007199254740991')).toBe(9_007_199_254_740_991);
  });

  it.each(['0', '-1', '51', '1.0', 'ten', '', '01', '1e1'])('refuses "%s"', (text) => {
    expect(() => parseWholeNumber('--limit', text, 50)).toThrow(
      new UsageError(`--limit takes a whole number from 1 to 50, not "${text}"`),
    );
  });

  it('refuses an id above the largest safe integer', () => {
    expect(() => parseWholeNumber('ID', '9007199254740993')).toThrow(
      new UsageError('ID takes a whole number from 1, not "9007199254740993"'),
    );
  });
});

describe('parseDuration', () => {
  it.each([
    ['90s', 90],
    ['50m', 3_000],
    ['12h', 43_200],
    ['7d', 604_800],
  ])('reads %s as %i seconds', (text, seconds) => {
    expect(parseDuration('--every', text)).toBe(seconds);
  });

  it.each(['', '50', 'm', '-5m', '1.5h', '5 m', '5M', '1w', '0s', '3651d', '999999999d', '5m30s'])(
    'refuses "%s"',
    (text) => {
      expect(() => parseDuration('--every', text)).toThrow(
        new BadValue('--every', `takes a duration such as 90s, 50m, 12h or 7d, from 1s to 3650d, not "${text}"`),
      );
    },
  );

  it('accepts zero when the option allows it', () => {
    expect(parseDuration('--overlap', '0s', 0)).toBe(0);
  });
});

describe('parseCalendarDate', () => {
  it.each(['2026-01-31', '2028-02-29', '1999-12-31'])('accepts %s', (text) => {
    expect(parseCalendarDate('--contract-end', text)).toBe(text);
  });

  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-1-1',
    '31/01/2026',
    '20260131',
    '0000-01-01',
    '',
  ])('refuses "%s"', (text) => {
    expect(() => parseCalendarDate('--contract-end', text)).toThrow(
      new BadValue('--contract-end', `takes a date that exists, as YYYY-MM-DD, not "${text}"`),
    );
  });
});

describe('parseApiKey', () => {
  it('accepts 24 or more printable characters', () => {
    expect(parseApiKey('--key', 'demo-key-of-24-character')).toBe('demo-key-of-24-character');
  });

  const long = 'x'.repeat(23);
  it.each([long, `${long} with space`, `${long}accentué`, `${long}\nbreak`, 'x'.repeat(257)])(
    'refuses %j without repeating it',
    (key) => {
      expect(() => parseApiKey('--key', key)).toThrow(
        new UsageError('--key takes 24 to 256 printable ASCII characters without spaces'),
      );
    },
  );
});

describe('parseNamedValues', () => {
  const known = { provider: 'the number', token: 'the secret' };

  it('uses everything after the first "=" as the value', () => {
    expect(parseNamedValues('--credential', ['provider=12', 'token=a=b==--x'], known)).toEqual({
      provider: '12',
      token: 'a=b==--x',
    });
  });

  it.each([
    ['token', '--credential takes name=value'],
    ['=x', '--credential takes name=value'],
    ['token=', '--credential token has no value'],
    ['pasword=x', '--credential does not know "pasword"; allowed: provider, token'],
    ['__proto__=x', '--credential does not know "__proto__"; allowed: provider, token'],
    ['constructor=x', '--credential does not know "constructor"; allowed: provider, token'],
  ])('refuses %s', (text, message) => {
    expect(() => parseNamedValues('--credential', [text], known)).toThrow(new UsageError(message));
  });

  it('refuses a repeated name, and any name when none is allowed', () => {
    expect(() => parseNamedValues('--credential', ['token=a', 'token=b'], known)).toThrow(
      new UsageError('--credential token is given twice'),
    );
    expect(() => parseNamedValues('--credential', ['token=a'], {})).toThrow(
      new UsageError('--credential does not know "token"; this connector has none'),
    );
  });
});
