import { parseXmlAnswer } from './xml-answer';

describe('parseXmlAnswer', () => {
  it.each([
    ['<answer><a>é</a></answer>', 'utf8'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?>\n<!-- made -->\n<answer><a>é</a></answer>', 'latin1'],
    ["<?xml version='1.0' encoding = 'utf-8' standalone='yes'?><answer><a>é</a></answer>", 'utf8'],
  ] as const)('reads an answer in its declared encoding: %s', (text, encoding) => {
    expect(parseXmlAnswer(Buffer.from(text, encoding), 'answer')).toEqual({ a: 'é' });
  });

  it.each(['<?xml ', '<?xml encoding="x" ', '<?xml ?><!--', ' '])(
    'quickly rejects a hostile answer with many "%s"',
    (piece) => {
      const document = Buffer.from(`<?xml ${piece.repeat(2_000_000 / piece.length)}`);
      expect(() => parseXmlAnswer(document, 'answer')).toThrow('the answer is no XML document of <answer>');
    },
  );
});
