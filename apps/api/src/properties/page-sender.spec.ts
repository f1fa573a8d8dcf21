import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { AnswerMemory } from '../http/answer-memory';
import { CachedBody } from '../http/cached-body';
import { PageSender } from './page-sender';
import type { ServedSnapshot } from './served-snapshots';

/** More than the operating system buffers for a reader that does not read. */
const BYTES = 24 * 1024 * 1024;
const TEXT = 'une maison à vendre, ';
const SNAPSHOT: ServedSnapshot = {
  ...{ id: 1, gatewayId: 1, token: 't', total: 1, publishedAtMs: 0, confirmedAtMs: 0 },
  ...{ cache: 'HIT' },
};
const sender = new PageSender({ requireHttps: false });
const memory = new AnswerMemory();

/** A page that is valid for one response, and a function that tells whether its memory was given back. */
function lentPage(text: Buffer | string = TEXT): { page: CachedBody; isGivenBack: () => boolean } {
  const body = memory.take(BYTES);
  body.fill(text);
  return { page: new CachedBody(body, [], 'W/"x"', memory), isGivenBack: () => body[0] === 0xff };
}

const answers: IncomingMessage[] = [];
afterEach(() => {
  for (const answer of answers.splice(0)) answer.destroy();
});

/** Sends a request to a server that sends the page. */
async function ask(page: CachedBody, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const server = createServer((request, response) => {
    sender.send({ id: 'a', headers: request.headers, response }, page, SNAPSHOT);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  const asked = get({ port: address.port, host: '127.0.0.1', headers, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.once('close', () => server.close());
  answers.push(answer);
  return answer;
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 6_000; !holds() && tries > 0; tries -= 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
}

describe('page with lent memory', () => {
  it('is sent completely to a slow reader, and returns its memory after the last byte', async () => {
    const { page, isGivenBack } = lentPage();
    const answer = await ask(page);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isGivenBack()).toBe(false);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const start = '{"status":"success","request_id":"a",';
    expect(Buffer.concat(chunks).equals(Buffer.concat([Buffer.from(start), Buffer.alloc(BYTES, TEXT)]))).toBe(true);
    await until(isGivenBack);
    expect(page.plain('').bytes).toHaveLength(0);
  });

  it('returns its memory when its client disconnects', async () => {
    const { page, isGivenBack } = lentPage();
    (await ask(page)).destroy();
    await until(isGivenBack);
  });

  it('returns its memory when the client already has the page', async () => {
    const { page, isGivenBack } = lentPage();
    const answer = await ask(page, { 'if-none-match': 'W/"x"' });
    expect([answer.statusCode, isGivenBack()]).toEqual([304, true]);
  });

  it('returns its memory immediately when the gzipped form is sent instead', async () => {
    // Gzip cannot compress random bytes: while a reader is slow, most of them stay with the sender.
    const random = randomBytes(BYTES);
    random[0] = 1;
    const { page, isGivenBack } = lentPage(random);
    await page.prepareGzip();
    const answer = await ask(page, { 'accept-encoding': 'gzip' });
    expect(isGivenBack()).toBe(true);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = gunzipSync(Buffer.concat(chunks));
    expect(text.subarray(-BYTES).equals(random)).toBe(true);
  });
});
