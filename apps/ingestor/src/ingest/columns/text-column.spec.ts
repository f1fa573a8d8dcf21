import { byteText } from '../../../../../test/support/ingest/reused-versions';
import { TextColumn } from './text-column';

const BLOCK_BYTES = 64 * 1024;

describe('TextColumn', () => {
  it.each([
    ['short texts', ['a', 'bc', 'd']],
    ['empty texts', ['', '', 'a', '']],
    ['letters of two and four bytes', ['é', '🏠', 'ü']],
    ['texts that fill a block', ['x'.repeat(BLOCK_BYTES), '', 'y'.repeat(BLOCK_BYTES - 1), '', 'z']],
    ['texts longer than a block', ['a', 'x'.repeat(3 * BLOCK_BYTES), 'b', 'y'.repeat(BLOCK_BYTES + 1), '']],
    ['texts in many blocks', Array.from({ length: 30_000 }, (_, row) => `text ${row}`)],
  ])('returns stored texts unchanged: %s', (_what, texts) => {
    const [column, ofBytes] = [new TextColumn(), new TextColumn()];
    expect(texts.map((text) => column.push(text))).toEqual([...texts.keys()]);
    expect(texts.map((text) => ofBytes.pushBytes(byteText(text)))).toEqual([...texts.keys()]);
    for (const one of [column, ofBytes]) {
      expect(texts.map((_text, row) => one.at(row))).toEqual(texts);
      expect(one.length).toBe(texts.length);
    }
  });
});
