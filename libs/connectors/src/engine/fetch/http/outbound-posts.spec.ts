import dns from 'node:dns';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { OutboundPosts } from './outbound-posts';

type Resolver = (
  name: string,
  options: dns.LookupAllOptions,
  callback: (error: null, addresses: dns.LookupAddress[]) => void,
) => void;

// Real: the guard, the sockets, and a local server that counts its connections. Fake: the resolver.
describe('a message to a malicious host name', () => {
  let server: Server;
  let connections = 0;
  let posts: OutboundPosts;
  let url: string;

  beforeEach(async () => {
    connections = 0;
    server = createServer((socket) => {
      connections += 1;
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://evil.example:${(server.address() as AddressInfo).port}/hook`;
    posts = new OutboundPosts({ allowPrivate: new Set(), timeoutMs: 500, maxCharacters: 300 });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    posts.close();
    server.close();
  });

  /** Makes the resolver return these answers in order, then repeat the last one. */
  function resolving(...answers: string[]): jest.SpyInstance {
    const resolver = jest.spyOn(dns, 'lookup') as unknown as jest.SpyInstance<void, Parameters<Resolver>>;
    return resolver.mockImplementation((_name, _options, callback) => {
      const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
      callback(null, [{ address, family: 4 }]);
    });
  }
  const post = (): Promise<unknown> => posts.post(url, { 'content-length': '2' }, '{}', new AbortController().signal);
  const PRIVATE = 'not sent: it is not a public address, and ALLOW_PRIVATE_SOURCES does not name it';

  it('goes to the checked address, even if the name resolves to another address a moment later', async () => {
    const resolver = resolving('8.8.8.8', '127.0.0.1');
    await expect(post()).rejects.toThrow(/^no answer/);
    expect([resolver.mock.calls.length, connections]).toEqual([1, 0]);
    await expect(post()).rejects.toThrow(PRIVATE);
    expect([resolver.mock.calls.length, connections]).toEqual([2, 0]);
  });

  it('goes to an allowed name and port, whatever the name resolves to', async () => {
    resolving('127.0.0.1');
    posts.close();
    posts = new OutboundPosts({ allowPrivate: new Set([new URL(url).host]), timeoutMs: 5_000, maxCharacters: 300 });
    await expect(post()).resolves.toMatchObject({ status: 204 });
    expect(connections).toBe(1);
  });
});
