import { gunzipSync } from 'node:zlib';
import { CachedBody, type Pieces } from './cached-body';

async function kept(text: string): Promise<CachedBody> {
  const body = new CachedBody(Buffer.from(text), [], 'W/"x"');
  await body.prepareGzip();
  return body;
}

function inflated({ start, bytes, end }: Pieces): string {
  return gunzipSync(Buffer.concat([Buffer.from(start, 'latin1'), bytes, Buffer.from(end, 'latin1')])).toString();
}

function piecesOf(body: CachedBody, start: string): Pieces {
  const pieces = body.gzip(start);
  if (pieces === null) throw new Error('it has no gzipped form');
  return pieces;
}

describe('CachedBody', () => {
  it.each([
    ['French text', '"data":[{"intitule":"Maison à vendre près de la forêt"}]}'.repeat(500)],
    ['a body of 1,024 bytes', 'x'.repeat(1024)],
    ['a body of 3 MB', 'é'.repeat(1_500_000)],
  ])('forms one valid gzip member with any start: %s', async (_what, text) => {
    const body = await kept(text);
    for (const start of ['{"request_id":"a",', `{"request_id":"${'z'.repeat(128)}",`, '']) {
      expect(inflated(piecesOf(body, start))).toBe(start + text);
    }
  });

  it('has a gzip checksum that covers its start', async () => {
    const pieces = piecesOf(await kept('text'.repeat(400)), 'one');
    const start = pieces.start.replace(/one$/, 'two');
    expect(() => inflated({ ...pieces, start })).toThrow('incorrect data check');
  });

  it('has no gzipped form below 1,024 bytes', async () => {
    const body = await kept('x'.repeat(1023));
    expect([body.gzip(''), body.isReadyForGzip]).toEqual([null, true]);
  });

  it('counts its plain and its gzipped form in its size', async () => {
    const empty = new CachedBody(Buffer.alloc(0), [], 'W/"x"').size;
    const body = new CachedBody(Buffer.from('x'.repeat(2000)), [], 'W/"x"');
    expect([body.size - empty, body.isReadyForGzip]).toEqual([2000, false]);
    await Promise.all([body.prepareGzip(), body.prepareGzip()]);
    expect(body.size - empty).toBeGreaterThan(2000);
  });
});
