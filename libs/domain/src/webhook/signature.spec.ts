import { generateWebhookSecret, signWebhook } from './signature';
import { toWebhookUrl } from './webhook';

/** From the tests of the reference implementations of Standard Webhooks. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', atMs: 1_614_265_330_000, body: '{"test": 2432232314}' },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('signWebhook', () => {
  it('returns the signature of the published test vector', () => {
    expect(signWebhook([VECTOR.secret], VECTOR.message)).toEqual({
      'webhook-id': VECTOR.message.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': VECTOR.signature,
    });
  });

  it('returns one signature per secret', () => {
    const other = generateWebhookSecret();
    const alone = signWebhook([other], VECTOR.message)['webhook-signature'];
    expect(signWebhook([VECTOR.secret, other], VECTOR.message)['webhook-signature']).toBe(
      `${VECTOR.signature} ${alone}`,
    );
  });

  it('accepts generated secrets, which have 24 to 64 bytes', () => {
    const bytes = Buffer.from(generateWebhookSecret().replace(/^whsec_/, ''), 'base64');
    expect(bytes.length).toBeGreaterThanOrEqual(24);
    expect(bytes.length).toBeLessThanOrEqual(64);
  });
});

describe('toWebhookUrl', () => {
  const allowed = new Set(['site.test:80', '127.0.0.1:8080']);

  it.each([
    ['https://agence.example/hook?a=b', 'https://agence.example/hook?a=b'],
    ['http://site.test/hook', 'http://site.test/hook'],
    ['http://127.0.0.1:8080/hook', 'http://127.0.0.1:8080/hook'],
    ['http://site.test:81/hook', null],
    ['http://agence.example/hook', null],
    ['https://name@agence.example/', null],
    ['https://agence.example/#part', null],
    ['file:///etc/passwd', null],
    ['hook', null],
  ])('converts %s to %s', (text, url) => {
    expect(toWebhookUrl(text, allowed)).toBe(url);
  });
});
