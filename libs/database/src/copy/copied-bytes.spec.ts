import { CopiedBytes } from './copied-bytes';

describe('CopiedBytes', () => {
  it('returns the bytes in order, even when they exceed the initial buffer', () => {
    const copied = CopiedBytes.take();
    const chunks = Array.from({ length: 20 }, (_, at) => Buffer.alloc(100_000, at));
    for (const chunk of chunks) copied.add(chunk);
    expect(copied.bytes.equals(Buffer.concat(chunks))).toBe(true);
    copied.giveBack();
  });

  it('reuses a buffer that was given back, and does not touch a buffer in use', () => {
    const [one, other] = [CopiedBytes.take(), CopiedBytes.take()];
    one.add(Buffer.from('one'));
    other.add(Buffer.from('other'));
    const memory = one.bytes.buffer;
    expect(other.bytes.buffer).not.toBe(memory);
    one.giveBack();
    const next = CopiedBytes.take();
    next.add(Buffer.from('next'));
    expect(next.bytes.buffer).toBe(memory);
    expect([other.bytes.toString(), next.bytes.toString()]).toEqual(['other', 'next']);
    next.giveBack();
    other.giveBack();
  });

  it('contains no bytes after the first giveBack, and accepts a second giveBack', () => {
    const copied = CopiedBytes.take();
    copied.add(Buffer.from('a'));
    copied.giveBack();
    copied.giveBack();
    expect(copied.bytes).toHaveLength(0);
    const next = CopiedBytes.take();
    next.add(Buffer.from('b'));
    expect(next.bytes.buffer.byteLength).toBeGreaterThan(100_000);
    next.giveBack();
  });

  it('overwrites the buffer after giveBack, but only in tests', () => {
    const copied = CopiedBytes.take();
    copied.add(Buffer.from('a'));
    const { bytes } = copied;
    copied.giveBack();
    expect(bytes).toEqual(Buffer.from([0xff]));
  });

  it('drops the buffer of a very large response after giveBack', () => {
    const copied = CopiedBytes.take();
    copied.add(Buffer.alloc(5_000_000));
    const memory = copied.bytes.buffer;
    copied.giveBack();
    const next = CopiedBytes.take();
    next.add(Buffer.from('a'));
    expect(next.bytes.buffer).not.toBe(memory);
    next.giveBack();
  });
});
