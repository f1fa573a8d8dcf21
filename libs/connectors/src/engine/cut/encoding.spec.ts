import iconv from 'iconv-lite';
import { decodeText, toAsciiCompatible } from './encoding';

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('é € 😀'), 'utf-8', 'é € 😀', false],
    ['undeclared UTF-8', Buffer.from('é'), undefined, 'é', false],
    ['UTF-8 that is declared as ISO-8859-1', Buffer.from('é'), 'iso-8859-1', 'é', false],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffé'), 'utf-8', 'é', false],
    ['Windows-1252 that is declared as UTF-8', Buffer.from([0xe9, 0x80]), 'UTF-8', 'é€', true],
    ['undeclared Windows-1252', Buffer.from([0xe9, 0x92]), undefined, 'é’', true],
    ['Windows-1252', Buffer.from([0x80, 0x92, 0x9c]), 'windows-1252', '€’œ', false],
    ['ISO-8859-1 with characters of Windows-1252', Buffer.from([0x80, 0xe9]), ' ISO-8859-1 ', '€é', false],
    ['Latin-1 that is declared as ASCII', Buffer.from([0xe9]), 'us-ascii', 'é', false],
    ['ISO-8859-15', Buffer.from([0xa4, 0xbd]), 'ISO-8859-15', '€œ', false],
    ['CP850', Buffer.from([0x82]), 'cp850', 'é', false],
    ['a text that declares an unknown charset', Buffer.from([0xe9]), 'x-klingon', 'é', false],
    [
      'CP850 that is declared as Windows-1252',
      Buffer.from('Propri\x82t\x82', 'latin1'),
      'windows-1252',
      'Propri‚t‚',
      true,
    ],
    [
      'Mac OS Roman that is declared as Windows-1252',
      Buffer.from('Propri\x8et\x8e', 'latin1'),
      'windows-1252',
      'PropriŽtŽ',
      true,
    ],
    ['a byte that Windows-1252 does not define', Buffer.from('tr\x8fs', 'latin1'), 'windows-1252', 'tr\ufffds', true],
    [
      'quotation marks and dots in Windows-1252',
      Buffer.from('il dit \x82so\x91\x85 ', 'latin1'),
      'windows-1252',
      'il dit ‚so‘… ',
      false,
    ],
    ['UTF-8 with two byte order marks', Buffer.from('\ufeff\ufeffé'), 'utf-8', 'é', false],
    ['a text that declares a transfer encoding instead of a charset', Buffer.from([0xe9]), 'base64', 'é', false],
  ])('decodes %s', (_what, bytes, declared, text, encodingMismatch) => {
    expect(decodeText(bytes, declared)).toEqual({ text, encodingMismatch });
  });
});

describe('toAsciiCompatible', () => {
  const through = async (bytes: Buffer, chunkBytes: number): Promise<string> => {
    const chunks = async function* (): AsyncGenerator<Buffer> {
      await Promise.resolve();
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    };
    const out: Buffer[] = [];
    for await (const chunk of toAsciiCompatible(chunks())) out.push(Buffer.from(chunk));
    return Buffer.concat(out).toString();
  };

  it.each([1, 2, 3, 4, 5, 100])('drops every byte order mark in chunks of %d bytes', async (chunkBytes) => {
    for (const text of [
      '\ufeffabé',
      '\ufeff\ufeffabé',
      '\ufeff\ufeff\ufeffabé',
      'abé',
      '\ufeff\ufeff',
      '\ufeff\ufeffa',
    ]) {
      const plain = text.replaceAll('\ufeff', '');
      expect(await through(Buffer.from(text), chunkBytes)).toBe(plain);
      if (text.startsWith('\ufeff')) expect(await through(iconv.encode(text, 'utf-16le'), chunkBytes)).toBe(plain);
    }
  });
});
