import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';

const FIXTURES = join(__dirname, '__fixtures__');
const AUTHORITY = readFileSync(join(FIXTURES, 'authority.pem'), 'utf8');

/** A server's certificate for `localhost`, signed by an authority of the tests. */
export const LOCALHOST = {
  key: readFileSync(join(FIXTURES, 'localhost.key')),
  cert: readFileSync(join(FIXTURES, 'localhost.pem')),
};

/** Trusts the test authority at run time, because Node reads NODE_EXTRA_CA_CERTS only at its start. */
export function trustTestAuthority(): void {
  const connect = tls.connect.bind(tls) as (options: tls.ConnectionOptions, ...rest: unknown[]) => tls.TLSSocket;
  jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions, ...rest: unknown[]) =>
      connect({ ...options, ca: AUTHORITY }, ...rest)) as typeof tls.connect);
}
