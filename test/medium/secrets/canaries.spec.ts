import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { KeyHashes, SecretBox, visiblePrefix } from '@passerelle/domain';
import { METRICS_PATH } from '../../../apps/api/src/metrics/metrics';
import { until } from '../../support/waiting';
import { addGateway, type ApiUnderTest, someListings, startApi } from '../api/api-under-test';
import { startConsole } from '../console/console-under-test';

// Real: the API with its fast lane and without it, the console, PostgreSQL. Fake: the trace endpoint, which keeps the
// traces.

const SECRETS_KEY = 'canary-secrets-key-3e8b1c7d5a9f2046';
const OPS_TOKEN = 'canary-ops-token-8d2f6b1e4c7a';
const CANARY = {
  apiKey: 'canary-api-key-4f1d8a7b6c5e',
  exportToken: 'psx_canary-export-token-7a2c9e4b',
  callToken: 'psc_canary-call-token-1b8d3f6a',
  callSecret: 'canary-call-secret-9c4e7a2b',
  photo: 'canaryphoto5e1b9d7c3a8f2046',
  lead: 'canary-lead-6d2a8f4c1e',
  webhookAddress: 'canary-webhook-address-2f7b9d',
  signInLink: 'canary-sign-in-link-8e3c1a7d',
  password: 'canary-password-4b9d2f6e',
};

/** All encodings in which a text can contain the secret. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64').replaceAll('=', '')];
}

function foundIn(text: string, secrets: Record<string, string>): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
    .map(([name]) => name);
}

/** Sends a raw request line, and waits for the end of the answer. */
async function sendLine(url: string, line: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.resume();
  socket.write(`${line}\r\nHost: api\r\nConnection: close\r\n\r\n`);
  await once(socket, 'close');
}

/** Right, wrong and mistyped addresses that contain a secret. */
function addressesOf(prefix: string, secret: string): string[] {
  return [
    ...[`${prefix}${secret}`, `${prefix}${secret}/`, `${prefix}/${secret}`, `${prefix}${secret}.xml`],
    ...[`/v1${prefix}${secret}`, `/api${prefix}${secret}`, prefix.toUpperCase() + secret, `${prefix}%zz${secret}`],
    ...[`${prefix.slice(0, -1)}%2F${secret}`, `${prefix.slice(0, -1)};${secret}`, `${prefix.slice(0, -1)}#${secret}`],
    ...[`${prefix.slice(0, -1)}?token=${secret}`, `/${secret}`, `/v1/properties#key=${secret}`, `/v1?key=${secret}`],
    `http://elsewhere.example${prefix}${secret}`,
  ];
}

describe.each([{ hasFastPath: true }, { hasFastPath: false }])(
  'secrets at the API, with the lane: $hasFastPath',
  ({ hasFastPath }) => {
    const lines: string[] = [];
    const spans: unknown[] = [];
    let api: ApiUnderTest;
    let seen: string;
    let sent: Record<string, string>;

    beforeAll(async () => {
      const log = { write: (line: string) => void lines.push(line) };
      const traces = { record: (span: unknown) => void spans.push(span), close: () => Promise.resolve() };
      const settings = {
        secretsKey: SECRETS_KEY,
        opsToken: OPS_TOKEN,
        hasAccessLog: true,
        refusedKeysPerMinute: 10_000,
      };
      api = await startApi(settings, { log, logLevel: 'trace', traces: traces, hasFastPath });
      const count = await live();
      await until(() => Promise.resolve(lines.filter((line) => line.includes('"msg":"answered"')).length >= count));
      const answer = await fetch(api.url + METRICS_PATH, { headers: { authorization: `Bearer ${OPS_TOKEN}` } });
      const metrics = await answer.text();
      seen = `${lines.join('')}\n${JSON.stringify(spans)}\n${metrics}`;
    });
    afterAll(() => api.close());

    /** Uses every secret of the API, in right and wrong ways. @returns the number of answered requests */
    async function live(): Promise<number> {
      const { database } = api;
      const gateway = await addGateway(database, { listings: someListings(2) });
      const hashes = new KeyHashes({ secretsKey: SECRETS_KEY, secretsKeyOld: null, pepper: Buffer.alloc(0) });
      const { apiKey, exportToken, callToken, photo, lead, webhookAddress } = CANARY;
      await database.gateways.rotateKey(gateway.id, { ...hashes.make(apiKey), prefix: 'psr_' }, 60);
      await database.exportTokens.add(gateway.id, { ...hashes.make(exportToken), prefix: visiblePrefix(exportToken) });
      const hash = createHash('sha256').update(callToken).digest();
      await database.inboundWebhookUrls.open(gateway.id, { hash, prefix: 'psc_', secret: null }, 0);
      // The API cannot open the secret of this URL, so the API answers 500 and logs an error.
      const broken = createHash('sha256').update(`${callToken}-broken`).digest();
      const other = await addGateway(database);
      const foreign = new SecretBox('o'.repeat(32)).seal(CANARY.callSecret);
      const calls = { proof: { kind: 'hmac', header: 'x', hash: 'sha256', encoding: 'hex' }, event: 'e' } as const;
      await database.connectors.register([
        { id: other.crm, label: 'A CRM', type: 'api', notes: '', calls: { ...calls, about: [], ids: ['id'] } },
      ]);
      await database.inboundWebhookUrls.open(other.id, { hash: broken, prefix: 'psc_', secret: foreign }, 0);
      let count = 0;
      const ask = async (path: string, headers: Record<string, string> = {}, body?: object): Promise<string> => {
        count += 1;
        const answer = await fetch(api.url + path, {
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        });
        return `${answer.status} ${await answer.text()}`;
      };
      const names = { crm: gateway.crm, client: gateway.client };
      // Send each request twice, because the lane (if any) answers the second.
      for (let time = 1; time <= 2; time += 1) {
        expect(await ask(`/v1/properties?${gateway.query}`, { key: apiKey })).toMatch(/^200/);
        expect(await ask(`/v1/properties?${gateway.query}&token=${exportToken}`, { key: `${apiKey}x` })).toMatch(
          /^401/,
        );
      }
      expect(await ask(`/?variable1=${gateway.crm}&variable2=${gateway.client}`, { key: apiKey })).toMatch(/^200/);
      expect(await ask('/v1/report', {}, { ...names, key: apiKey, status: 'success', count: 2 })).toMatch(/^20\d/);
      expect(await ask(`/v1/export/kyero.xml?token=${exportToken}`)).toMatch(/^200/);
      expect(await ask(`/in/${callToken}`, {}, { id: 7 })).toMatch(/^202/);
      expect(await ask(`/in/${callToken}-broken`, {}, { id: 7 })).toMatch(/^500/);
      const contact = { email: `${lead}@example.org`, message: lead, affId: 'L-1', name: lead };
      expect(await ask('/v1/leads', { key: apiKey }, { ...names, ...contact })).toMatch(/^\d{3}/);
      const url = `https://${webhookAddress}:${webhookAddress}@203.0.113.9/${webhookAddress}?${webhookAddress}`;
      await ask('/v1/webhooks', { key: apiKey }, { ...names, url });
      const made = await ask(
        '/v1/webhooks',
        { key: apiKey },
        { ...names, url: `https://203.0.113.9/${webhookAddress}` },
      );
      sent = { ...CANARY, SECRETS_KEY, OPS_TOKEN, webhookSecret: /"secret":"([^"]+)"/.exec(made)?.[1] ?? '' };
      expect(sent['webhookSecret']).not.toBe('');
      const addresses = [
        ...addressesOf('/in/', callToken),
        ...addressesOf('/media/', photo),
        ...addressesOf('/v1/export/', exportToken),
        ...addressesOf('/v1/properties/', 'L-1').filter((address) => address.startsWith('/v1/properties/L-1')),
      ];
      for (const address of addresses) {
        for (const method of ['GET', 'POST']) await sendLine(api.url, `${method} ${address} HTTP/1.1`);
        count += 2;
      }
      for (const line of [`GET /in/${callToken} NO/HTTP`, `GOT /in/${callToken} HTTP/1.1`])
        await sendLine(api.url, line);
      return count;
    }

    it('are in no line of the log, in no metric and in no trace', () => {
      expect(foundIn(seen, sent)).toEqual([]);
    });

    it('were all used, and the log shows routes instead of paths with secrets', () => {
      const answered = lines
        .filter((line) => line.includes('"msg":"answered"'))
        .map((line) => JSON.parse(line) as object);
      for (const path of [
        '/in/:token',
        '/media/:name',
        '/v1/export/kyero.xml',
        '/v1/properties/L-1',
        '/in/***',
        '/***',
      ])
        expect(answered).toContainEqual(expect.objectContaining({ path }));
      expect(lines.some((line) => line.includes('request failed') && line.includes('"/in/:token"'))).toBe(true);
      expect(JSON.stringify(spans)).toContain('POST /in/:token');
      expect(seen).toContain('route="/media/:name"');
    });
  },
);

describe('secrets at the console', () => {
  it('are in no line of its log and in no metric', async () => {
    const console = await startConsole({ OPS_TOKEN });
    try {
      const visitor = console.visitor();
      const { signInLink, password } = CANARY;
      await visitor.get(`/sign-in?token=${signInLink}&to=${encodeURIComponent(`/runs?token=${signInLink}`)}`);
      await visitor.get(`/sign-in/${signInLink}`);
      await visitor.get(`/runs?token=${signInLink}`);
      await visitor.post('/sign-in/link', { token: signInLink });
      await visitor.post('/sign-in', { name: 'somebody', password });
      await visitor.send('/sign-in/link', { token: signInLink });
      await sendLine(console.url, `GET /sign-in%zz${signInLink} HTTP/1.1`);
      const { text: metrics } = await visitor.get('/metrics', { authorization: `Bearer ${OPS_TOKEN}` });
      expect(metrics).toContain('passerelle_console_answers_total{route="/sign-in/link"');
      expect(foundIn(JSON.stringify(console.lines) + metrics, { ...CANARY, OPS_TOKEN })).toEqual([]);
    } finally {
      await console.close();
    }
  });
});
