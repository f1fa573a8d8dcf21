import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { LOCALHOST, trustTestAuthority } from './certificates';
import { recogniseNativeErrors } from './native-errors';
import { runLines } from './run-lines';

recogniseNativeErrors();

let server: Server;

beforeAll(async () => {
  server = createServer(LOCALHOST, (_request, response) => response.end('1;Lyon\n2;Nice\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function run(host: string): ReturnType<typeof runLines> {
  const { port } = server.address() as AddressInfo;
  return runLines(`https://${host}:${port}/immo.csv`, { allowPrivate: new Set([`${host}:${port}`]) });
}

describe('file on an https server', () => {
  it('is read when the authority of its certificate is known', async () => {
    trustTestAuthority();
    expect((await run('localhost')).ids).toEqual(['1', '2']);
  });

  it('is not read when its certificate is invalid', async () => {
    await expect(run('localhost')).rejects.toThrow(/did not answer \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/);
  });

  it('is not read under a name that its certificate does not contain', async () => {
    trustTestAuthority();
    await expect(run('127.0.0.1')).rejects.toThrow(/did not answer \(ERR_TLS_CERT_ALTNAME_INVALID\)$/);
  });
});
