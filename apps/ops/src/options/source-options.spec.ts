import type { Connector } from '@passerelle/connectors';
import { BadValue } from '@passerelle/operations';
import { parseSettings, parseSourceOption } from './source-options';

const DOCUMENT = { fetch: { kind: 'document' } } as Pick<Connector, 'fetch'>;
const API = { fetch: { kind: 'pages' } } as Pick<Connector, 'fetch'>;

const POLICY = { inboxDir: '/srv/inbox', allowPrivate: ['10.0.0.7:8080'] };

describe('source option', () => {
  it.each([
    'https://crm.example/feed.xml',
    'http://user:secret@crm.example:8080/feed?token=x',
    'file:agence-du-port.zip',
    'file:///srv/inbox/agence.zip',
    'ftp://user:secret@crm.example/export/feed.zip',
    'ftps://crm.example:990/feed.zip',
    'sftp://crm.example/export/agence_*.zip',
  ])('accepts %s', (url) => {
    expect(parseSourceOption(url, DOCUMENT, POLICY)).toBe(url);
  });

  it.each([
    'file:///etc/passwd',
    'file:../secret',
    'file:///srv/inbox/../secret',
    'file:///srv/inbox-of-another/a.zip',
    'file:///srv/inbox/%2e%2e/secret',
  ])('refuses %s, which ingestors cannot read', (url) => {
    expect(() => parseSourceOption(url, DOCUMENT, POLICY)).toThrow(
      '--source names a file outside the inbox, the only folder that ingestors read: /srv/inbox (INBOX_DIR)',
    );
  });

  it.each([
    ['http://10.0.0.5/feed.xml', '10.0.0.5:80'],
    ['https://[::1]/feed.xml', '[::1]:443'],
    ['http://localhost:8080/feed.xml', 'localhost:8080'],
    ['http://169.254.169.254/latest', '169.254.169.254:80'],
    ['http://0x7f000001/feed.xml', '127.0.0.1:80'],
    ['sftp://192.168.1.1/feed.zip', '192.168.1.1:22'],
  ])('refuses %s, which ingestors are not allowed to call', (url, place) => {
    expect(() => parseSourceOption(url, DOCUMENT, POLICY)).toThrow(
      `--source is a private address. Ingestors only call it when ALLOW_PRIVATE_SOURCES contains ${place}, here as well`,
    );
  });

  it.each(['http://10.0.0.7:8080/feed.xml', 'file:///srv/inbox/a.zip', 'file:sub/a.zip', 'http://8.8.8.8/feed.xml'])(
    'accepts %s',
    (url) => {
      expect(parseSourceOption(url, DOCUMENT, POLICY)).toBe(url);
    },
  );

  it.each(['crm.example/feed', '', 'gopher://crm.example', 'javascript:alert(1)'])('refuses "%s"', (url) => {
    expect(() => parseSourceOption(url, DOCUMENT, POLICY)).toThrow(
      new BadValue('--source', 'takes an http:, https:, ftp:, ftps:, sftp: or file: URL'),
    );
  });

  it('refuses a file of another machine', () => {
    expect(() => parseSourceOption('file://server/share/feed.zip', DOCUMENT, POLICY)).toThrow(
      new BadValue('--source', 'takes a file of the inbox as file:NAME, or as file:///PATH'),
    );
  });

  it.each(['ftp://crm.example', 'ftps://crm.example/', 'sftp://crm.example/export/', 'sftp:///export/feed.zip'])(
    'refuses %s, because it does not name a server and a file',
    (url) => {
      expect(() => parseSourceOption(url, DOCUMENT, POLICY)).toThrow(
        /^--source takes a file on a server as s?ftps?:\/\/HOST\/PATH\/NAME$/,
      );
    },
  );

  it.each(['file:agence.zip', 'sftp://crm.example/feed.zip', 'crm.example'])(
    'refuses %s when the connector reads an API',
    (url) => {
      expect(() => parseSourceOption(url, API, POLICY)).toThrow(
        new BadValue('--source', 'takes an http: or https: URL: this connector reads an API'),
      );
    },
  );
});

describe('parseSettings', () => {
  const connector = { settings: { encoding: 'of the files' } };

  it('accepts settings of the connector and of the publish gate, and checks numbers', () => {
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
      '--set does not know "max-vanished"; allowed: encoding, max-vanished-share, max-replaced-share, max-fill-drop, max-vanished-count, requests-per-second, requests-per-day, least-rate, ignore-declared-count, account',
    ],
  ])('refuses %s', (text, message) => {
    expect(() => parseSettings([text], connector)).toThrow(
      expect.objectContaining({ message, name: expect.stringMatching(/^(UsageError|BadValue)$/) }) as Error,
    );
  });
});
