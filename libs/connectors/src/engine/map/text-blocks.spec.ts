import { TextBlocks } from './text-blocks';

describe('TextBlocks', () => {
  it('keeps encoded pairs of texts unchanged while it encodes further texts', () => {
    const blocks = new TextBlocks();
    const texts = Array.from({ length: 400 }, (_, n): [string, string] => [
      `é’😀${n}`.repeat(n),
      `${n}€`.repeat(400 - n),
    ]);
    const pairs = texts.map(([first, second], at) =>
      blocks.encodePair(first, second, { text: `ü${at}`, bytes: Buffer.alloc(at % 7, at) }),
    );
    expect(pairs.map(({ first, second }) => [first.toString(), second.toString()])).toEqual(texts);
    expect(pairs.map(({ both }) => both.toString())).toEqual(texts.map((pair) => pair.join('\0')));
    expect(pairs.map(({ text }) => text.toString())).toEqual(texts.map((_, at) => `ü${at}`));
    expect(pairs.map(({ bytes }) => bytes)).toEqual(texts.map((_, at) => Buffer.alloc(at % 7, at)));
  });

  it('accepts a text that is larger than a block', () => {
    const text = '€'.repeat(200_000);
    expect(new TextBlocks().encodePair(text, '').first.toString()).toBe(text);
  });
});
