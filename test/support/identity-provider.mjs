// A real OpenID Connect provider as a process: `node identity-provider.mjs PORT CLAIMS`. CLAIMS contains each account's
// claims as JSON. Each start creates new keys. A message replaces `accounts`, or (`forges`) makes the provider publish
// wrong keys, so that its signatures are invalid.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Provider from 'oidc-provider';

const [port, claims, returnsTo] = process.argv.slice(2);
let accounts = JSON.parse(claims);
let forges = false;
process.on('message', (message) => {
  accounts = message.accounts ?? accounts;
  forges = message.forges ?? forges;
  process.send?.('taken over');
});
const makeKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const { privateKey } = makeKey();
const { publicKey: ofSomebodyElse } = makeKey();

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      ...{ client_id: 'console', client_secret: 'the secret of the console', redirect_uris: [returnsTo] },
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }] },
  claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email'], realm_access: ['realm_access'] },
  scopes: ['openid', 'profile', 'email', 'realm_access'],
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...accounts[id] }) }),
  issueRefreshToken: () => true,
  pkce: { required: () => true },
});
provider.use(async (context, next) => {
  await next();
  if (forges && context.path === '/jwks')
    context.body = { keys: context.body.keys.map((key) => ({ ...key, ...ofSomebodyElse.export({ format: 'jwk' }) })) };
});
provider.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
