import { decodeText } from './encoding';

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('é € 😀'), 'utf-8', 'é € 😀', false],
    ['UTF-8 that nobody declared', Buffer.from('é'), undefined, 'é', false],
    ['UTF-8 under another name', Buffer.from('é'), 'iso-8859-1', 'é', false],
    ['a byte order mark', Buffer.from('\ufeffé'), 'utf-8', 'é', false],
    ['Windows-1252 that calls itself UTF-8', Buffer.from([0xe9, 0x80]), 'UTF-8', 'é€', true],
    ['Windows-1252 that nobody declared', Buffer.from([0xe9, 0x92]), undefined, 'é’', true],
    ['Windows-1252', Buffer.from([0x80, 0x92, 0x9c]), 'windows-1252', '€’œ', false],
    ['ISO-8859-1 with characters of Windows-1252', Buffer.from([0x80, 0xe9]), ' ISO-8859-1 ', '€é', false],
    ['ASCII that is none', Buffer.from([0xe9]), 'us-ascii', 'é', false],
    ['ISO-8859-15', Buffer.from([0xa4, 0xbd]), 'ISO-8859-15', '€œ', false],
    ['CP850', Buffer.from([0x82]), 'cp850', 'é', false],
    ['an unknown charset', Buffer.from([0xe9]), 'x-klingon', 'é', false],
    ['a transfer encoding instead of a charset', Buffer.from([0xe9]), 'base64', 'é', false],
  ])('decodes %s', (_what, bytes, declared, text, encodingMismatch) => {
    expect(decodeText(bytes, declared)).toEqual({ text, encodingMismatch });
  });
});
