import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { aFreePort } from '../../support/free-port';
import { type Program, startProgram, untilReady } from '../../support/program';
import { createTestDatabase, type TestDatabase } from '../../support/test-database';
import { until } from '../../support/waiting';

const CLIENTS = 2_000;
const REQUEST = 'GET /v1 HTTP/1.1\r\nhost: api\r\nconnection: close\r\n\r\n';

function mostWaiting(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

const check = mostWaiting() > CLIENTS ? it : it.skip;

// Real: the API as built, its connections. Nothing is fake.
describe('an API to which thousands of clients connect at the same time', () => {
  let db: TestDatabase;
  let api: Program;
  let port: number;

  beforeAll(async () => {
    db = await createTestDatabase();
    port = await aFreePort();
    const env = { DATABASE_URL: db.urlOf('serve'), PORT: String(port), LOG_LEVEL: 'warn', ACCESS_LOG: 'false' };
    api = startProgram('apps/api/src/main.js', { ...env, NODE_ENV: 'production', SECRETS_KEY: 'k'.repeat(40) });
    await untilReady(api, `http://127.0.0.1:${port}/health/ready`);
  });
  afterAll(async () => {
    await api.stop();
    await db.drop();
  });

  check(
    `answers every client that connects while its process is paused (needs net.core.somaxconn above ${CLIENTS})`,
    async () => {
      const sockets: Socket[] = [];
      let connected = 0;
      api.signal('SIGSTOP');
      const answers = Array.from({ length: CLIENTS }, () => {
        const socket = connect(port, '127.0.0.1');
        sockets.push(socket);
        return new Promise<string>((resolve) => {
          let text = '';
          socket.once('connect', () => {
            connected += 1;
            socket.write(REQUEST);
          });
          socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
          socket.once('error', (error) => {
            resolve(error.message);
          });
          socket.once('end', () => {
            resolve(text.split('\r\n', 1)[0]!);
          });
        });
      });
      try {
        await until(() => Promise.resolve(connected === CLIENTS));
      } finally {
        api.signal('SIGCONT');
      }
      expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
      for (const socket of sockets) socket.destroy();
    },
  );
});
