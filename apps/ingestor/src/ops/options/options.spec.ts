import type { Connector } from '@passerelle/connectors';
import { WrongUse } from '../failures';
import { parseApiKey } from './api-key';
import { parseCalendarDate } from './calendar-date';
import { parseDuration } from './duration';
import { parseSettings } from './gateway-settings';
import { parseNamedValues } from './named-values';
import { parseSourceUrl } from './source-url';
import { parseWholeNumber } from './whole-number';

describe('a duration', () => {
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
        new WrongUse(`--every takes a duration such as 90s, 50m, 12h or 7d, from 1s to 3650d, not "${text}"`),
      );
    },
  );

  it('may be nothing where that means something', () => {
    expect(parseDuration('--overlap', '0s', 0)).toBe(0);
  });
});

describe('a date', () => {
  it.each(['2026-01-31', '2028-02-29', '1999-12-31'])('takes %s', (text) => {
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
      new WrongUse(`--contract-end takes a date that exists, as YYYY-MM-DD, not "${text}"`),
    );
  });
});

const DOCUMENT = { fetch: { kind: 'document' } } as Pick<Connector, 'fetch'>;
const API = { fetch: { kind: 'pages' } } as Pick<Connector, 'fetch'>;

describe('a source', () => {
  it.each([
    'https://crm.example/feed.xml',
    'http://user:secret@crm.example:8080/feed?token=x',
    'file:agence-du-port.zip',
    'file:///var/inbox/agence.zip',
    'ftp://user:secret@crm.example/export/feed.zip',
    'ftps://crm.example:990/feed.zip',
    'sftp://crm.example/export/agence_*.zip',
  ])('may be %s', (url) => {
    expect(parseSourceUrl(url, DOCUMENT)).toBe(url);
  });

  it.each(['crm.example/feed', '', 'gopher://crm.example', 'javascript:alert(1)'])('may not be "%s"', (url) => {
    expect(() => parseSourceUrl(url, DOCUMENT)).toThrow(
      new WrongUse('--source takes an http:, https:, ftp:, ftps:, sftp: or file: URL'),
    );
  });

  it('may not be a file of another machine', () => {
    expect(() => parseSourceUrl('file://server/share/feed.zip', DOCUMENT)).toThrow(
      new WrongUse('--source takes a file of the inbox as file:NAME, or as file:///PATH'),
    );
  });

  it.each(['ftp://crm.example', 'ftps://crm.example/', 'sftp://crm.example/export/', 'sftp:///export/feed.zip'])(
    'must name a server and a file: %s does not',
    (url) => {
      expect(() => parseSourceUrl(url, DOCUMENT)).toThrow(
        /^--source takes a file on a server as s?ftps?:\/\/HOST\/PATH\/NAME$/,
      );
    },
  );

  it.each(['file:agence.zip', 'sftp://crm.example/feed.zip', 'crm.example'])(
    'is an API where the connector asks one, so not %s',
    (url) => {
      expect(() => parseSourceUrl(url, API)).toThrow(
        new WrongUse('--source takes an http: or https: URL: this connector asks an API'),
      );
    },
  );
});

describe('name=value pairs', () => {
  const known = { provider: 'the number', token: 'the secret' };

  it('keep everything behind the first "="', () => {
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
  ])('refuse %s', (text, message) => {
    expect(() => parseNamedValues('--credential', [text], known)).toThrow(new WrongUse(message));
  });

  it('refuse a name twice, and names where there are none', () => {
    expect(() => parseNamedValues('--credential', ['token=a', 'token=b'], known)).toThrow(
      new WrongUse('--credential token is given twice'),
    );
    expect(() => parseNamedValues('--credential', ['token=a'], {})).toThrow(
      new WrongUse('--credential does not know "token"; this connector takes none'),
    );
  });
});

describe('settings', () => {
  const connector = { settings: { encoding: 'of the files' } };

  it('are those of the connector and those of the publish gate, whose numbers are checked', () => {
    expect(
      parseSettings(
        ['encoding=latin1', 'max-vanished-share=0.40', 'max-vanished-count=10', 'max-fill-drop=1'],
        connector,
      ),
    ).toEqual({ encoding: 'latin1', 'max-vanished-share': '0.4', 'max-vanished-count': '10', 'max-fill-drop': '1' });
  });

  it.each([
    ['max-vanished-share=20', '--set max-vanished-share takes a share from 0 to 1, such as 0.2, not "20"'],
    ['max-replaced-share=-0.1', '--set max-replaced-share takes a share from 0 to 1, such as 0.2, not "-0.1"'],
    ['max-fill-drop=20%', '--set max-fill-drop takes a share from 0 to 1, such as 0.2, not "20%"'],
    ['max-vanished-count=2.5', '--set max-vanished-count takes a whole number from 0, not "2.5"'],
    ['max-vanished-count=1e3', '--set max-vanished-count takes a whole number from 0, not "1e3"'],
    [
      'max-vanished=1',
      '--set does not know "max-vanished"; allowed: encoding, max-vanished-share, max-replaced-share, max-fill-drop, max-vanished-count, requests-per-second, requests-per-day, ignore-declared-count, account',
    ],
  ])('refuse %s', (text, message) => {
    expect(() => parseSettings([text], connector)).toThrow(new WrongUse(message));
  });
});

describe('a whole number', () => {
  it('is from 1 to its most', () => {
    expect(parseWholeNumber('--limit', '1', 50)).toBe(1);
    expect(parseWholeNumber('--limit', '50', 50)).toBe(50);
    expect(parseWholeNumber('ID', '9007199254740991')).toBe(9_007_199_254_740_991);
  });

  it.each(['0', '-1', '51', '1.0', 'ten', '', '01', '1e1'])('refuses "%s"', (text) => {
    expect(() => parseWholeNumber('--limit', text, 50)).toThrow(
      new WrongUse(`--limit takes a whole number from 1 to 50, not "${text}"`),
    );
  });

  it('refuses an id that no database has', () => {
    expect(() => parseWholeNumber('ID', '9007199254740993')).toThrow(
      new WrongUse('ID takes a whole number from 1, not "9007199254740993"'),
    );
  });
});

describe('an API key of your own', () => {
  it('is anything printable from 8 characters on', () => {
    expect(parseApiKey('--key', 'demo-key')).toBe('demo-key');
  });

  it.each(['short', 'with space', 'accentué', 'line\nbreak', 'x'.repeat(257)])(
    'refuses %j without repeating it',
    (key) => {
      expect(() => parseApiKey('--key', key)).toThrow(
        new WrongUse('--key takes 8 to 256 printable ASCII characters without spaces'),
      );
    },
  );
});
