import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { generateWebhookSecret, signWebhook } from '@passerelle/domain';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../../clients/typescript/src/webhook.ts';
import { commandOnPath } from '../../support/command-on-path';

const CLIENT = join(__dirname, '../../../clients/php/Passerelle.php');
/** The secret that the tests of the Standard Webhooks reference implementations use. */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = '{"test": 2432232314}';
const SECONDS = 1_614_265_330;
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const OTHER = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

interface Message {
  body: string;
  headers: Record<string, string>;
  secret: string;
  now: number;
}

const VECTOR: Message = {
  ...{ body: BODY, secret: SECRET, now: SECONDS },
  headers: { 'webhook-id': ID, 'webhook-timestamp': String(SECONDS), 'webhook-signature': SIGNATURE },
};

function isTakenByTypeScript({ body, headers, secret, now }: Message): unknown {
  try {
    return verifyWebhook(body, headers, secret, now * 1000);
  } catch {
    return null;
  }
}

function isTakenByPhp({ body, headers, secret, now }: Message): unknown {
  const code = `require ${JSON.stringify(CLIENT)}; $a = json_decode(base64_decode($argv[1]), true);
    echo json_encode(Passerelle\\verifyWebhook($a[0], $a[1], $a[2], $a[3]));`;
  const given = Buffer.from(JSON.stringify([body, headers, secret, now])).toString('base64');
  return JSON.parse(execFileSync('php', ['-r', code, '--', given], { encoding: 'utf8' })) as unknown;
}

/** Standard Webhooks in Python, written from the text of the specification only. */
const PYTHON = `
import base64, binascii, hashlib, hmac, json, sys

def take(body, headers, secret, now):
    message_id, timestamp, signatures = (headers.get('webhook-' + name) for name in ('id', 'timestamp', 'signature'))
    if not message_id or not timestamp or not signatures or not timestamp.isascii() or not timestamp.isdigit():
        return None
    if abs(now - int(timestamp)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix('whsec_'))
    expected = hmac.new(key, f'{message_id}.{timestamp}.{body}'.encode(), hashlib.sha256).digest()
    for signature in signatures.split(' '):
        version, _, text = signature.partition(',')
        try:
            if version == 'v1' and hmac.compare_digest(base64.b64decode(text, validate=True), expected):
                return json.loads(body)
        except binascii.Error:
            continue
    return None

print(json.dumps(take(*json.loads(base64.b64decode(sys.argv[1])))))
`;

function isTakenByPython({ body, headers, secret, now }: Message): unknown {
  const given = Buffer.from(JSON.stringify([body, headers, secret, now])).toString('base64');
  return JSON.parse(execFileSync('python3', ['-c', PYTHON, given], { encoding: 'utf8' })) as unknown;
}

const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(VECTOR.headers).filter(([known]) => known !== name));
const withHeader = (name: string, value: string): Message => ({
  ...VECTOR,
  headers: { ...VECTOR.headers, [name]: value },
});

const TAKEN: [string, Message][] = [
  ['the published test vector', VECTOR],
  ['a secret without its prefix', { ...VECTOR, secret: SECRET.slice(6) }],
  [
    'one correct signature among several',
    withHeader('webhook-signature', [OTHER, OTHER.replace('v1', 'v2'), SIGNATURE, OTHER].join(' ')),
  ],
  ['a message that is five minutes old', { ...VECTOR, now: SECONDS + 300 }],
];
const REFUSED: [string, Message][] = [
  ['without an id', { ...VECTOR, headers: without('webhook-id') }],
  ['without a timestamp', { ...VECTOR, headers: without('webhook-timestamp') }],
  ['without a signature', { ...VECTOR, headers: without('webhook-signature') }],
  ['with an invalid timestamp', withHeader('webhook-timestamp', 'hello')],
  ['with a wrong signature', withHeader('webhook-signature', 'v1,dawfeoifkpqwoekfpqoekf')],
  ['with a truncated signature', withHeader('webhook-signature', SIGNATURE.slice(0, 8))],
  ['with an empty signature', withHeader('webhook-signature', 'v1,')],
  ['with the correct signature under another version', withHeader('webhook-signature', SIGNATURE.replace('v1', 'v2'))],
  ['with another id', withHeader('webhook-id', 'msg_other')],
  ['with another body', { ...VECTOR, body: `${BODY} ` }],
  ['that is too old', { ...VECTOR, now: SECONDS + 301 }],
  ['from the future', { ...VECTOR, now: SECONDS - 301 }],
  ['with the signature of another secret', { ...VECTOR, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' }],
];

describe.each([
  ['verifyWebhook of the TypeScript package', isTakenByTypeScript, true],
  ['verifyWebhook of the PHP file', isTakenByPhp, commandOnPath('php')],
  ['Python code that follows the specification', isTakenByPython, commandOnPath('python3')],
])('%s', (_name, take, isThere) => {
  const check = isThere ? it : it.skip;

  check.each(TAKEN)('accepts %s', (_what, message) => {
    expect(take(message)).toEqual({ test: 2432232314 });
  });

  check.each(REFUSED)('refuses a message %s', (_what, message) => {
    expect(take(message)).toBeNull();
  });

  check('accepts a message that the reference implementation has just signed', () => {
    const now = Math.floor(Date.now() / 1000);
    const signature = new Webhook(SECRET).sign(ID, new Date(now * 1000), '{"é":"ü"}');
    const headers = { 'webhook-id': ID, 'webhook-timestamp': String(now), 'webhook-signature': signature };
    expect(take({ body: '{"é":"ü"}', headers, secret: SECRET, now })).toEqual({ é: 'ü' });
  });

  check('accepts messages of the gateway, with the new secret and with the previous one', () => {
    const [newer, older] = [generateWebhookSecret(), generateWebhookSecret()];
    const body = JSON.stringify({ type: 'list.published', data: { client: 'agence-é' } });
    const headers = { ...signWebhook([newer, older], { id: ID, atMs: SECONDS * 1000 + 999, body }) };
    for (const secret of [newer, older])
      expect(take({ body, headers, secret, now: SECONDS })).toEqual(JSON.parse(body) as object);
    expect(take({ body, headers, secret: SECRET, now: SECONDS })).toBeNull();
  });
});
