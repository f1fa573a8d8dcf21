import fastify from 'fastify';
import { Proxies } from './proxies';

/** How Fastify and our class read one request. */
async function bothViews(networks: string[], from: string, headers: Record<string, string>): Promise<unknown[][]> {
  const proxies = new Proxies(networks);
  const server = fastify({ trustProxy: proxies.trusts });
  const views: unknown[][] = [];
  server.get('/', (request) => {
    views.push([request.ip, request.protocol.toLowerCase() === 'https']);
    views.push([proxies.addressOf(request.raw), proxies.isSecure(request.raw)]);
    return {};
  });
  await server.inject({ url: '/', remoteAddress: from, headers });
  await server.close();
  return views;
}

describe('forwarded headers', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 10.0.0.9', 'x-forwarded-proto': 'https' };
  it.each([
    ['no trusted proxy', [], '203.0.113.5', forwarded, ['203.0.113.5', false]],
    ['a trusted proxy', ['10.0.0.0/8'], '10.0.0.1', forwarded, ['198.51.100.7', true]],
    ['an untrusted proxy', ['10.0.0.0/8'], '192.0.2.1', forwarded, ['192.0.2.1', false]],
    ['two proxies, with only the last one trusted', ['10.0.0.1/32'], '10.0.0.1', forwarded, ['10.0.0.9', true]],
    ['a scheme in capitals', ['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-proto': 'HTTPS' }, ['10.0.0.1', true]],
    ['two schemes', ['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-proto': 'https, http' }, ['10.0.0.1', false]],
    ['an empty scheme', ['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-proto': '' }, ['10.0.0.1', false]],
    ['a trusted proxy with an IPv6 address', ['fd00::/8'], 'fd00::1', forwarded, ['10.0.0.9', true]],
  ])('mean the same to Fastify and to Proxies: %s', async (_title, networks, from, headers, expected) => {
    const [theirs, ours] = await bothViews(networks, from, headers);
    expect([theirs, ours]).toEqual([expected, expected]);
  });
});
