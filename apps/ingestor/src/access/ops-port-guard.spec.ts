import { isKnownHost } from './ops-port-guard';

describe('isKnownHost', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.7:3001',
    '[::1]:3001',
    'localhost:3001',
    'LOCALHOST',
    'ingestor:3001',
    'ops.localhost',
    'ops.example.org',
    'OPS.example.org.:3001',
  ])('accepts %s', (host) => {
    expect(isKnownHost(host, ['ops.example.org'])).toBe(true);
  });

  it.each([
    'rebound.example',
    'rebound.example:3001',
    'ops.example.org.rebound.example',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '127.0.0.1@rebound.example',
    '[rebound.example]',
    '999.0.0.1',
    '.',
    '',
    undefined,
  ])('refuses %s', (host) => {
    expect(isKnownHost(host, ['ops.example.org'])).toBe(false);
  });
});
