import { createHash } from 'node:crypto';
import type { Listing } from '@passerelle/domain';
import { RecordError } from '../../kit/contracts';
import { type FinishedListing, finishListing } from './finished-listing';
import { TextBlocks } from './text-blocks';

type Texts = Omit<FinishedListing, 'normalized' | 'raw'> & { normalized: string; raw: string };
const textsOf = (finished: FinishedListing): Texts => ({
  ...finished,
  normalized: finished.normalized.toString(),
  raw: finished.raw.toString(),
});
const minimal: Listing = { affId: '1', passerelleName: 'kyero', photos: [] };
const finish = (listing: object, raw: Record<string, unknown> = {}): Texts =>
  textsOf(finishListing({ ...minimal, ...listing }, raw, 'kyero', new TextBlocks()));

describe('finishListing', () => {
  it('writes only the fields of the vocabulary, in its order', () => {
    const { normalized } = finish({
      ville: 'Lyon',
      prix: 1,
      affNum: 'A',
      owner: 'x',
      photos: [{ url: 'u', empreinte: 'e' }],
    });
    expect(normalized).toBe(
      '{"affId":"1","affNum":"A","passerelleName":"kyero","prix":1,"ville":"Lyon","photos":[{"url":"u","empreinte":"e"}]}',
    );
  });

  it('removes users and passwords from URLs in the raw record', () => {
    const { raw } = finish(
      {},
      { photo: ['https://user:secret@x.example/1.jpg', 'https://x.example/a@2.jpg'], e: 'a@b.example' },
    );
    expect(raw).toContain('"photo":["https://x.example/1.jpg","https://x.example/a@2.jpg"],"e":"a@b.example"');
  });

  it('hashes the normalized text, the photos, and the normalized and raw texts together', () => {
    const finished = finish({
      intitule: 'Été',
      photos: [
        { url: 'u', empreinte: 'e1' },
        { url: 'v', empreinte: 'e2' },
      ],
    });
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const { normalized, raw } = finished;
    expect(finished.contentHash).toBe(sha256(`${normalized}\0${raw}`).slice(0, 32));
    expect(finished.empreinte).toBe(sha256(normalized).slice(0, 16));
    expect(finished.photosEmpreinte).toBe(sha256('e1e2').slice(0, 16));
  });

  it('omits absent values, and keeps `false` and 0 (the ground floor)', () => {
    const absent = { prix: NaN, loyer: Infinity, ville: '', intitule: null, pays: undefined, affNum: '' };
    const finished = finish({
      ...absent,
      etage: 0,
      meuble: false,
      photos: [
        { url: '', empreinte: '' },
        { url: 'u', legende: '', empreinte: 'e' },
      ],
    });
    expect(finished.affNum).toBeUndefined();
    expect(JSON.parse(finished.normalized)).toEqual({
      affId: '1',
      passerelleName: 'kyero',
      photos: [{ url: 'u', empreinte: 'e' }],
      etage: 0,
      meuble: false,
    });
  });

  it('removes control characters and replaces unpaired surrogates in the normalized and the raw form', () => {
    const finished = finish(
      {
        affId: '1\0',
        ville: '\u0007',
        intitule: 'a\u0000b\tc\nd\\b \ud83d 😀 \u0085',
        photos: [{ url: 'u\b', empreinte: 'e' }],
      },
      { list: [{ text: 'x\u0000y\ud800\n' }] },
    );
    expect(finished.affId).toBe('1');
    expect(JSON.parse(finished.normalized)).toEqual({
      affId: '1',
      passerelleName: 'kyero',
      intitule: 'ab\tc\nd\\b \ufffd 😀 ',
      photos: [{ url: 'u', empreinte: 'e' }],
    });
    expect(JSON.parse(finished.raw)).toEqual({ affId: '1', passerelleName: 'kyero', list: [{ text: 'xy\ufffd\n' }] });
  });

  it.each(['\u0001', '\b', '\f', '\u001f', '\u007f', '\u0080', '\u009f'])(
    'removes %j from the normalized and the raw form',
    (control) => {
      expect(JSON.parse(finish({ ville: `Ly${control}on ²` }).normalized)).toMatchObject({ ville: 'Lyon ²' });
      expect(JSON.parse(finish({}, { town: `« Ly${control}on` }).raw)).toMatchObject({ town: '« Lyon' });
    },
  );

  it.each(['\u00a0\u00a9\u00b2\u00bf', 'é\u0100\u2082', 'C:\\users\\bob\\file', '\t\n\r"\\'])(
    'keeps %j in the normalized and the raw form',
    (text) => {
      const finished = finish({ ville: text }, { town: text });
      expect(JSON.parse(finished.normalized)).toMatchObject({ ville: text });
      expect(JSON.parse(finished.raw)).toMatchObject({ town: text });
    },
  );

  it('puts affId, affNum and passerelleName first in the raw record, and overrides members with these names', () => {
    const { raw } = finish({ affNum: 'A' }, { b: 1, affId: 'x', a: null, passerelleName: 'y' });
    expect(raw).toBe('{"affId":"1","affNum":"A","passerelleName":"kyero","b":1,"a":null}');
  });

  it('puts affId and passerelleName first when other members have numeric names, and when there are no other members', () => {
    expect(finish({}, { 2: 'b', 1: 'a' }).raw).toBe('{"affId":"1","passerelleName":"kyero","1":"a","2":"b"}');
    expect(finish({}, {}).raw).toBe('{"affId":"1","passerelleName":"kyero"}');
  });

  it.each(['', null, undefined, 5, '\0'])('rejects a record whose identifier is %j', (affId) => {
    expect(() => finish({ affId })).toThrow(new RecordError('missing_id', 'the record has no identifier'));
  });
});
