import { newChunkMemory } from './chunk-memory';
import { ByteWindow } from './byte-window';

describe('ByteWindow', () => {
  const ofItsOwn = (text: string): Buffer => Buffer.from(text);

  /** Returns chunks that alternate between two reused buffers, as when reading a file. */
  function inTurns(bytes: number): typeof ofItsOwn {
    const memories = [newChunkMemory(bytes), newChunkMemory(bytes)];
    let turn = 0;
    return (text) => {
      const memory = memories[(turn += 1) % 2]!;
      memory.fill('?');
      return memory.subarray(0, memory.write(text));
    };
  }

  function mixed(bytes: number): typeof ofItsOwn {
    const chunkOf = inTurns(bytes);
    let turn = 0;
    return (text) => ((turn += 1) % 5 < 2 ? ofItsOwn(text) : chunkOf(text));
  }

  /** Pushes the text chunk by chunk and keeps `kept` bytes each time; returns the window's text after each push. */
  function sightsOf(text: string, chunkBytes: number, kept: number, chunkOf = ofItsOwn): string[] {
    const window = new ByteWindow();
    const sights: string[] = [];
    for (let at = 0; at < text.length; at += chunkBytes) {
      window.push(chunkOf(text.slice(at, at + chunkBytes)), Math.max(0, window.bytes.length - kept));
      sights.push(window.bytes.toString());
    }
    return sights;
  }

  it.each([
    ['that is not reused', () => ofItsOwn],
    ['that later chunks reuse', inTurns],
    ['of both kinds', mixed],
  ])('shows the kept bytes and the next chunk, for chunks in memory %s', (_title, chunksOf) => {
    const text = Array.from({ length: 20_000 }, (_, n) => `${n},`).join('');
    for (const chunkBytes of [1, 7, 100, 20_000]) {
      const some = text.slice(0, chunkBytes * 1_000);
      // There are 32 KB of room in front of a chunk, so 40,000 kept bytes do not fit.
      for (const kept of [0, 3, 90, 5_000, 40_000]) {
        const sights = sightsOf(some, chunkBytes, kept, chunksOf(chunkBytes));
        const expected = sights.map((_, index) =>
          some.slice(Math.max(0, index * chunkBytes - kept), (index + 1) * chunkBytes),
        );
        expect(sights).toEqual(expected);
      }
    }
  });

  it('does not change the bytes in front of a chunk in a buffer of the caller', () => {
    const memory = Buffer.from('othersabc');
    const window = new ByteWindow();
    window.push(Buffer.from('xyz'), 0);
    window.push(memory.subarray(6), 2);
    expect([window.bytes.toString(), memory.toString()]).toEqual(['zabc', 'othersabc']);
  });

  it('does not copy a chunk that has room for the kept bytes', () => {
    const window = new ByteWindow();
    const [first, second] = [newChunkMemory(10).fill('a'), newChunkMemory(10).fill('b')];
    window.push(first, 0);
    window.push(second, 7);
    expect([window.bytes.toString(), window.bytes.buffer]).toEqual(['aaabbbbbbbbbb', second.buffer]);
    window.push(Buffer.from('c'), 12);
    expect(window.bytes.toString()).toBe('bc');
  });

  it('does not copy a chunk when no bytes are kept', () => {
    const window = new ByteWindow();
    const chunk = Buffer.from('abc');
    window.push(Buffer.from('x'), 0);
    window.push(chunk, 1);
    expect(window.bytes).toBe(chunk);
  });

  it.each([
    ['of equal length', () => 50],
    ['of growing length', (n: number) => 50 + n],
  ])('allocates memory only once for records %s that span two chunks', (_title, keptOf) => {
    const window = new ByteWindow();
    const memories = new Set<ArrayBufferLike>();
    for (let n = 0; n < 100; n += 1) {
      window.push(Buffer.alloc(1_000, 'x'), Math.max(0, window.bytes.length - keptOf(n)));
      if (n > 0) memories.add(window.bytes.buffer);
    }
    expect(memories.size).toBe(1);
  });
});
