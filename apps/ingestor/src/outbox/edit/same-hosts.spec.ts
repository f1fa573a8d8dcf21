import type { GatewayEdit } from '@passerelle/domain';
import { sendsCredentialsElsewhere } from './same-hosts';

const STORED = {
  url: 'https://crm.example/feed',
  settings: { 'token-url': 'https://auth.example/token' },
  credentials: { password: 'secret' },
};

describe('sendsCredentialsElsewhere', () => {
  it.each<[string, GatewayEdit]>([
    ['another host', { source: 'https://other.example/feed' }],
    ['another port', { source: 'https://crm.example:8443/feed' }],
    ['a host that begins like it', { source: 'https://crm.example.other.example/feed' }],
    ['a name before the host', { source: 'https://crm.example@other.example/feed' }],
    ['no TLS', { source: 'http://crm.example/feed' }],
    ['another protocol', { source: 'ftp://crm.example/feed' }],
    ['a text that is no address', { source: 'crm.example' }],
    ['another host in a setting', { settings: { 'token-url': 'https://other.example/token' } }],
    ['a host in a setting that had its default', { settings: { 'labels-url': 'https://other.example/' } }],
  ])('notices %s', (_what, edit) => {
    expect(sendsCredentialsElsewhere(STORED, edit)).toBe(true);
  });

  it.each<[string, GatewayEdit]>([
    ['another path and query', { source: 'https://crm.example/new?a=1' }],
    ['another setting', { settings: { limit: '5' } }],
    ['another path in a setting', { settings: { 'token-url': 'https://auth.example/v2' } }],
    ['new credentials', { source: 'https://other.example/', credentials: { password: 'new' } }],
    ['removed credentials', { source: 'https://other.example/', credentials: null }],
  ])('permits %s', (_what, edit) => {
    expect(sendsCredentialsElsewhere(STORED, edit)).toBe(false);
  });

  it('permits any host when there are no credentials, and TLS where there was none', () => {
    const edit = { source: 'https://other.example/' };
    expect(sendsCredentialsElsewhere({ ...STORED, credentials: {} }, edit)).toBe(false);
    expect(sendsCredentialsElsewhere({ ...STORED, url: 'http://other.example/a' }, edit)).toBe(false);
  });
});
