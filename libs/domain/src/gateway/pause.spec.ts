import { type GatewayPause, pausedReason, toPausedHost } from './pause';

function aPause(own: Partial<GatewayPause> = {}): GatewayPause {
  return { until: null, reason: null, by: 'zoe', since: '2026-11-24T08:00:00+00:00', crm: null, host: null, ...own };
}

describe('pausedReason', () => {
  it.each<[GatewayPause | null, string | null]>([
    [null, null],
    [aPause(), 'it is paused'],
    [aPause({ until: '2026-11-25T09:30:00+00:00' }), 'it is paused until 2026-11-25 09:30 UTC'],
    [aPause({ crm: 'kyero', reason: 'they move' }), 'its connector kyero is paused: they move'],
    [aPause({ host: 'a.example' }), 'the host a.example of its source is paused'],
    [aPause({ host: 'a.example', crm: 'kyero' }), 'the host a.example of its source is paused'],
  ])('describes the pause %j', (pause, sentence) => {
    expect(pausedReason(pause)).toBe(sentence);
  });
});

describe('toPausedHost', () => {
  it.each([
    [' Feeds.Example.ORG ', 'feeds.example.org'],
    ['localhost', 'localhost'],
    ['[2001:db8::1]', '[2001:db8::1]'],
    ['feeds.example.org:8080', null],
    ['https://feeds.example.org/', null],
    ['a b', null],
    ['', null],
    ['.example', null],
  ])('converts %j to %j', (text, host) => {
    expect(toPausedHost(text)).toBe(host);
  });
});
