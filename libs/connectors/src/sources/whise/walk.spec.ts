import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccessRefused } from '@passerelle/domain';

import { choicesOf } from '../../../../../test/support/connectors/choices';
import {
  MovingList,
  type MovingSource,
  readMovingSources,
  readWhileMoving,
  LEAST_COMPLETE,
  WALKS,
} from '../../../../../test/support/connectors/moving-list';
import { type DroppedFeed, readSource } from '../../../../../test/support/connectors/read-dropped';
import type { SourceConfig } from '../../kit/contracts';
import { connector } from './connector';

let list: MovingList;
let beforePage: () => void;
/** If set, the server uses it instead of `list`. */
let source: MovingSource | undefined;
/** Received paths and request bodies, in order. */
let asked: string[];
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let sent = '';
    request.on('data', (chunk: Buffer) => (sent += chunk.toString()));
    request.on('end', () => {
      const { authorization = 'nobody' } = request.headers;
      asked.push(`${request.url ?? ''} ${authorization} ${sent}`);
      const answer = answerTo(request.url ?? '', authorization, JSON.parse(sent) as Sent);
      if (answer === undefined) response.writeHead(401).end();
      else response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

interface Sent {
  username?: string;
  Page?: { Limit: number; Offset: number };
}

function answerTo(path: string, authorization: string, sent: Sent): object | undefined {
  if (path === '/token') return sent.username === 'me' ? { token: 'account' } : undefined;
  if (path === '/v1/admin/clients/token') return authorization === 'Bearer account' ? { token: 'client' } : undefined;
  if (path !== '/v1/estates/list' || authorization !== 'Bearer client' || sent.Page === undefined) return undefined;
  beforePage();
  const { Limit, Offset } = sent.Page;
  const { ids, total } = source?.answer() ?? { ids: list.ids, total: list.ids.length };
  const estates = ids.slice(Offset, Offset + Limit).map((id) => ({ id, category: { id: 1 }, purpose: { id: 1 } }));
  return { estates, totalCount: total, isValidRequest: true };
}

beforeEach(() => {
  list = new MovingList(choicesOf(1), 5);
  [beforePage, asked, source] = [() => undefined, [], undefined];
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

function read(changes: Partial<SourceConfig> = {}): Promise<DroppedFeed> {
  const source = {
    url: `http://${origin}/`,
    credentials: { username: 'me', password: 's' },
    settings: { client: '9', limit: '2' },
    ...changes,
  };
  return readSource(connector, source, { allowPrivate: new Set([origin]), pagePauseMs: 0 });
}

it('Whise connector requests the token of the account, then the token of the client, then all pages', async () => {
  const { listings, summary } = await read({ settings: { client: '9', office: '3', limit: '2', langue: 'nl' } });
  expect(listings.map(({ affId }) => affId)).toEqual(['1', '2', '3', '4', '5']);
  expect(summary.incomplete).toBeNull();
  expect(asked.slice(0, 3)).toEqual([
    '/token nobody {"username":"me","password":"s"}',
    '/v1/admin/clients/token Bearer account {"ClientId":9,"OfficeId":3}',
    '/v1/estates/list Bearer client {"Filter":{"StatusIds":[1],"LanguageId":"nl-BE","ShowDetails":true,' +
      '"ShowRepresentatives":true},"Page":{"Limit":2,"Offset":0}}',
  ]);
});

it('Whise connector uses the token of a client when the credentials contain it', async () => {
  const { listings } = await read({ credentials: { token: 'client' }, settings: { limit: '50', statuses: '1, 5' } });
  expect(listings).toHaveLength(5);
  expect(asked).toEqual([expect.stringContaining('"StatusIds":[1,5]')]);
});

it.each<[string, Partial<SourceConfig>]>([
  ['a missing account', { credentials: {} }],
  ['a missing client', { settings: {} }],
  ['a refused account', { credentials: { username: 'other', password: 's' } }],
  ['an expired token', { credentials: { token: 'old' } }],
])('Whise connector ends the run because of %s', async (_title, changes) => {
  await expect(read(changes)).rejects.toThrow(AccessRefused);
});

it('Whise connector reads every estate that exists during the whole walk, even when the list changes', async () => {
  const { complete, lacking } = await readWhileMoving(WALKS, (moving, move) => {
    [list, beforePage] = [moving, move];
    return read({ credentials: { token: 'client' } });
  });
  expect(lacking).toEqual([]);
  expect(complete).toBeGreaterThan(LEAST_COMPLETE);
});

it('Whise connector reads every listing that exists during the whole walk, even with wrong totals and lagging replicas', async () => {
  const { complete, lacking } = await readMovingSources(WALKS, (moving) => {
    source = moving;
    return read();
  });
  expect(lacking).toEqual([]);
  expect(complete).toBeGreaterThan(LEAST_COMPLETE);
});
