import { createHmac } from 'node:crypto';
import { generateInboundSecret, generateWebhookToken, isProven } from './webhook-proof';
import { type InboundWebhookRules, MAX_NOTIFIED_IDS, parseInboundWebhook } from './webhook-rules';

const RULES: InboundWebhookRules = {
  proof: { kind: 'path' },
  event: 'event',
  about: ['property_'],
  everything: ['property_sync'],
  ids: ['data.id', 'property_ids'],
};

describe('parseInboundWebhook', () => {
  it.each([
    ['the listing that the webhook names', { event: 'property_updated', data: { id: 12 } }, ['12']],
    ['a listing with a text identifier', { event: 'property_updated', data: { id: ' a-1 ' } }, ['a-1']],
    ['each listing of a set once', { property_ids: ['1', '2', 1] }, ['1', '2']],
    ['the identifiers of the first member that has any', { data: { id: 1 }, property_ids: [2] }, ['1']],
  ])('returns %s', (_title, body, ids) => {
    expect(parseInboundWebhook(RULES, body)).toEqual({ kind: 'listings', ids });
  });

  it.each([
    ['an event that concerns all listings', { event: 'property_sync', data: { id: 1 } }],
    ['no identifier', { event: 'property_updated' }],
    ['an invalid identifier', { data: { id: { x: 1 } } }],
    ['an identifier with control characters', { data: { id: 'a\u0000b' } }],
    ['a number that is too large to be exact', { data: { id: 12345678901234567890 } }],
    ['one invalid identifier among several', { property_ids: [1, null] }],
    ['an empty list of identifiers', { property_ids: [] }],
    ['too many identifiers', { property_ids: Array.from({ length: MAX_NOTIFIED_IDS + 1 }, (_, id) => id) }],
    ['a body that is not an object', 'x'],
    ['an unreadable body', undefined],
    ['an identifier inside `__proto__`', JSON.parse('{"__proto__":{"data":{"id":1}}}')],
  ])('requests a complete reading for a webhook with %s', (_title, body) => {
    expect(parseInboundWebhook(RULES, body)).toEqual({ kind: 'everything' });
  });

  it('returns nothing for an event that is not about listings', () => {
    expect(parseInboundWebhook(RULES, { event: 'client_updated', data: { id: 1 } })).toEqual({ kind: 'nothing' });
  });
});

describe('the proof of a webhook', () => {
  const body = Buffer.from('{"event":"x"}');
  const secret = 'a secret of this address';
  const hmac = { kind: 'hmac', header: 'x-signature', hash: 'sha256', encoding: 'hex', prefix: 'sha256=' } as const;
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  const signed = (value: string | string[]): { headers: Record<string, string | string[]>; body: Buffer } => ({
    headers: { 'x-signature': value },
    body,
  });

  it.each([digest, digest.toUpperCase(), `sha256=${digest}`])('may be an HMAC over the body: %s', (value) => {
    expect(isProven(hmac, secret, signed(value))).toBe(true);
  });

  it.each([
    ['of another body', isProven(hmac, secret, { ...signed(digest), body: Buffer.from('{"event":"y"}') })],
    ['of another secret', isProven(hmac, `${secret}.`, signed(digest))],
    ['that is cut', isProven(hmac, secret, signed(digest.slice(0, 63)))],
    ['that is missing', isProven(hmac, secret, { headers: {}, body })],
    ['that is sent twice', isProven(hmac, secret, signed([digest, digest]))],
    ['when there is no secret', isProven(hmac, null, signed(digest))],
  ])('is rejected for an HMAC %s', (_title, isRight) => {
    expect(isRight).toBe(false);
  });

  it('may be a name and a password, and both must match', () => {
    const authorization = `Basic ${Buffer.from('crm:pass:word').toString('base64')}`;
    const call = { headers: { authorization }, body };
    expect(isProven({ kind: 'basic' }, 'crm:pass:word', call)).toBe(true);
    expect(isProven({ kind: 'basic' }, 'crm:password', call)).toBe(false);
    expect(isProven({ kind: 'basic' }, 'crm:pass:word', { headers: {}, body })).toBe(false);
    expect(isProven({ kind: 'basic' }, null, call)).toBe(false);
  });

  it('differs for each address', () => {
    expect(generateWebhookToken()).not.toBe(generateWebhookToken());
    expect(generateInboundSecret({ kind: 'path' })).toBeNull();
    expect(generateInboundSecret({ kind: 'basic' })).toMatch(/^passerelle:.{32}$/);
    expect(generateInboundSecret(hmac)).toMatch(/^.{32}$/);
  });
});
