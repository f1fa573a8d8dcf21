import { deflateRawSync } from 'node:zlib';
import AdmZip from 'adm-zip';
import { looksFinished } from './file-completeness';
import { spoolFrom } from './spool';
import { SpoolReservation } from './spool-budget';

async function finished(content: string | Buffer, previousSizeBytes?: number): Promise<boolean> {
  async function* bytes(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(Buffer.from(content as string));
  }
  return await looksFinished(await spoolFrom(bytes(), new SpoolReservation()), previousSizeBytes);
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

it.each<[string, string | Buffer]>([
  ['a closed root element', '<?xml version="1.0"?>\n<!-- <a> -->\n<list n="1"><item/></list>\n'],
  ['a comment after its root element', '<list><item/></list ><!-- 12:00 --> <?end?> '],
  ['a namespace prefix', '\ufeff<x:list><x:item/></x:list>'],
  ['an empty root element', '<?xml version="1.0"?><list n="1"/>'],
  ['two bytes per letter', utf16('<list></list>')],
  ['a JSON object', '{"list": [{"text": "a ] } \\" \\\\"}], "total": 1}\n'],
  ['a JSON list', '[{"a": 1}, {"a": 2}]'],
  ['an end mark', '#HEADER#\n#DATA#\na^~\n#END#\n'],
])('a file with %s looks finished, and a truncated copy does not', async (_what, content) => {
  expect(await finished(content)).toBe(true);
  const whole = Buffer.from(content as string);
  const text = whole.toString('latin1').trimEnd();
  for (const cut of [2, 6, Math.floor(text.length / 2)]) {
    expect({ cut, finished: await finished(whole.subarray(0, text.length - cut)) }).toEqual({ cut, finished: false });
  }
});

it('an archive looks finished when the file ends with its directory', async () => {
  const zip = new AdmZip();
  zip.addFile('a.csv', Buffer.from('a;b'));
  zip.addZipComment('made by hand');
  const archive = zip.toBuffer();
  expect(await finished(archive)).toBe(true);
  expect(await finished(archive.subarray(0, -1))).toBe(false);
  expect(await finished(Buffer.concat([archive, deflateRawSync('more')]))).toBe(false);
});

it.each([
  [undefined, true],
  [19, true],
  [21, true],
  [22, false],
  [40, false],
])('a file of lines, after a previous file of %s bytes, looks finished: %s', async (previous, expected) => {
  expect(await finished('"1"!#"Lyon"\n"2"!#"L', previous)).toBe(expected);
});

it('an empty file does not look finished', async () => {
  expect(await finished('')).toBe(false);
});
