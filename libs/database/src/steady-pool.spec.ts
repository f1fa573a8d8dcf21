import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SteadyPool } from './steady-pool';

/** A message of PostgreSQL's protocol: type, length including the length field, content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const GREETING = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]);
const TERMINATED = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

describe('SteadyPool', () => {
  let server: Server;
  let pool: SteadyPool;
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([GREETING, TERMINATED])));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    pool = new SteadyPool({ host: '127.0.0.1', port, user: 'u', database: 'd', max: 1 });
  });
  afterEach(async () => {
    await pool.end();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('fails the statement, not the process, when the server ends a connection with its greeting', async () => {
    await expect(pool.query('SELECT 1')).rejects.toThrow();
  });
});
