import { ByteWindow } from './byte-window';

describe('a window over chunks', () => {
  /** Pushes the text chunk by chunk, keeping `kept` bytes each time; what is in sight after each push. */
  function sightsOf(text: string, chunkBytes: number, kept: number): string[] {
    const window = new ByteWindow();
    const sights: string[] = [];
    for (let at = 0; at < text.length; at += chunkBytes) {
      window.push(Buffer.from(text.slice(at, at + chunkBytes)), Math.max(0, window.bytes.length - kept));
      sights.push(window.bytes.toString());
    }
    return sights;
  }

  it('shows what was kept and the chunk after it, however often its memory is used again', () => {
    const text = Array.from({ length: 1_000 }, (_, n) => `${n},`).join('');
    for (const chunkBytes of [1, 7, 100]) {
      for (const kept of [0, 3, 90, 5_000]) {
        const ends = sightsOf(text, chunkBytes, kept).map((_, index) =>
          Math.min((index + 1) * chunkBytes, text.length),
        );
        expect(sightsOf(text, chunkBytes, kept)).toEqual(
          ends.map((end, index) => text.slice(Math.max(0, index * chunkBytes - kept), end)),
        );
      }
    }
  });

  it('does not copy a chunk when nothing is kept', () => {
    const window = new ByteWindow();
    const chunk = Buffer.from('abc');
    window.push(Buffer.from('x'), 0);
    window.push(chunk, 1);
    expect(window.bytes).toBe(chunk);
  });

  it.each([
    ['of one length', () => 50],
    ['that get longer', (n: number) => 50 + n],
  ])('takes memory once for records %s that span two chunks', (_title, keptOf) => {
    const window = new ByteWindow();
    const memories = new Set<ArrayBufferLike>();
    for (let n = 0; n < 100; n += 1) {
      window.push(Buffer.alloc(1_000, 'x'), Math.max(0, window.bytes.length - keptOf(n)));
      if (n > 0) memories.add(window.bytes.buffer);
    }
    expect(memories.size).toBe(1);
  });
});
