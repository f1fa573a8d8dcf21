import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { RoomyBytes } from './roomy-bytes';

let server: Server;
const clients: Socket[] = [];

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  await once(server, 'close');
});

/** Both ends of a connection whose reader does not read yet. */
async function connection(): Promise<{ ours: Socket; reader: Socket }> {
  const address = server.address();
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const reader = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').pause();
  clients.push(reader);
  const [ours] = await accepted;
  ours.on('error', () => undefined);
  return { ours, reader };
}

async function allOf(reader: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  reader.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await once(reader, 'end');
  return Buffer.concat(chunks).toString('latin1');
}

const BYTES = Buffer.alloc(20_000_000, 'maison ');

describe('bytes with room around them', () => {
  it.each([
    ['a head', 'head of the answer\r\n\r\n'],
    ['a head that fills the room', 'h'.repeat(2048)],
    ['a head that has no room', 'h'.repeat(2049)],
    ['no head', ''],
  ])('go out between what is one answer’s own: %s', async (_what, before) => {
    const shared = new RoomyBytes(Buffer.from('une maison'));
    for (const behind of ['', '\u00ff\u0000', '12345678']) {
      const { ours, reader } = await connection();
      shared.writeTo(ours, before, behind);
      ours.end();
      expect(await allOf(reader)).toBe(`${before}une maison${behind}`);
    }
    expect(shared.bytes.toString()).toBe('une maison');
  });

  it('are whole for everybody while one reader is slow', async () => {
    const shared = new RoomyBytes(BYTES);
    const slow = await connection();
    shared.writeTo(slow.ours, 'slow', 'S');
    expect(slow.ours.writableLength).toBeGreaterThan(0);
    shared.writeTo(slow.ours, 'more', '');
    const others = [await connection(), await connection()];
    for (const [n, { ours }] of others.entries()) shared.writeTo(ours, `reader ${n}`, String(n));
    for (const { ours } of [slow, ...others]) ours.end();

    const texts = await Promise.all([slow, ...others].map(({ reader }) => allOf(reader)));
    const [first = ''] = texts;
    expect(first.slice(BYTES.length, BYTES.length + 12).slice(-8)).toBe('Smoremai');
    expect(texts.map((text) => [text.length - BYTES.length, text.slice(0, 8), text.slice(-8)])).toEqual([
      [BYTES.length + 9, 'slowmais', BYTES.toString('latin1').slice(-8)],
      [9, 'reader 0', `${BYTES.toString('latin1').slice(-7)}0`],
      [9, 'reader 1', `${BYTES.toString('latin1').slice(-7)}1`],
    ]);
  });

  it('go out in one piece again once a slow reader has them, or is gone', async () => {
    const shared = new RoomyBytes(BYTES);
    for (const leave of [false, true]) {
      const { ours, reader } = await connection();
      shared.writeTo(ours, 'slow', '');
      expect(ours.writableLength).toBeGreaterThan(0);
      if (leave) ours.destroy();
      else reader.resume();
      while (!ours.destroyed && ours.writableLength > 0) await once(ours, 'drain');
      const next = await connection();
      const write = jest.spyOn(next.ours, 'write');
      shared.writeTo(next.ours, 'next', '');
      expect(write).toHaveBeenCalledTimes(1);
      next.ours.destroy();
    }
  });
});
