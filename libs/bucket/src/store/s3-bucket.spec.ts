import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Bucket } from './bucket';
import { parseBucketUrl } from './bucket-url';
import { openBucket } from './s3-bucket';

const WHOLE = Buffer.from('a whole object');
/** The beginning of a body that never ends. */
const BEGINNING = 'a whole';
const SHORT = { connectMs: 5_000, requestMs: 300 };

/** The server's behaviour after the headers of a response. */
const BODIES = {
  whole: (answer: ServerResponse) => answer.end(WHOLE),
  silent: (answer: ServerResponse) => answer.write(BEGINNING),
  'cut off': (answer: ServerResponse) => answer.write(BEGINNING, () => answer.socket?.resetAndDestroy()),
  // Never pauses for long and never ends.
  trickling: (answer: ServerResponse) => {
    const writing = setInterval(() => answer.write('.'), 50);
    answer.on('close', () => {
      clearInterval(writing);
    });
  },
};

// Real: HTTP and the SDK. Fake: a server that sends headers like S3 and then a different body.
describe('S3 bucket', () => {
  let server: Server;
  let impatient: Bucket;
  let patient: Bucket;
  let body: keyof typeof BODIES | 'none';
  /** Responses that the server is still sending. */
  const answering = new Set<ServerResponse>();

  beforeAll(async () => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'SOMEBODY', AWS_SECRET_ACCESS_KEY: 'SECRET' });
    server = createServer((_, answer) => {
      answering.add(answer);
      answer.on('close', () => answering.delete(answer));
      if (body === 'none') {
        answer.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
        return;
      }
      answer.writeHead(200, { 'content-length': body === 'trickling' ? 1_000_000 : WHOLE.length });
      BODIES[body](answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const place = parseBucketUrl(`s3://photos?endpoint=http://127.0.0.1:${port}&path-style=true`, 'MEDIA_BUCKET_URL');
    impatient = openBucket(place, 'media', SHORT);
    patient = openBucket(place, 'media');
  });

  afterAll(async () => {
    impatient.close();
    patient.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('reads an object, and returns null for a missing object', async () => {
    body = 'whole';
    expect(await buffer((await patient.read('photo'))!)).toEqual(WHOLE);
    body = 'none';
    expect(await patient.read('photo')).toBeNull();
  });

  it.each(['silent', 'cut off'] as const)('aborts reading an object when the response is %s', async (kind) => {
    body = kind;
    const read = async (): Promise<Buffer> => buffer((await impatient.read('photo'))!);
    await expect(read()).rejects.toMatchObject({ name: 'BucketError', problem: 'unavailable' });
    await nothingUnderWay();
  });

  it('stops listing names when the response stalls', async () => {
    body = 'silent';
    const names = impatient.list('reports/')[Symbol.asyncIterator]();
    await expect(names.next()).rejects.toMatchObject({ name: 'BucketError', problem: 'unavailable' });
  });

  it('stops the response when the reader stops reading', async () => {
    body = 'trickling';
    const stream = (await patient.read('photo'))!;
    stream.destroy();
    await nothingUnderWay();
    expect(stream.destroyed).toBe(true);
  });

  /** Resolves when the server has stopped sending. */
  async function nothingUnderWay(): Promise<void> {
    for (const answer of answering) await once(answer, 'close');
  }
});
