import { CopiedBytes } from './copied-bytes';

describe('CopiedBytes', () => {
  it('returns the bytes in order, also when they exceed the initial buffer', () => {
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

  it('has no bytes after they are given back, even when given back twice', () => {
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

  it('overwrites bytes after they are given back, in tests only', () => {
    const copied = CopiedBytes.take();
    copied.add(Buffer.from('a'));
    const { bytes } = copied;
    copied.giveBack();
    expect(bytes).toEqual(Buffer.from([0xff]));
  });

  it('does not keep the buffer of a very large response', () => {
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
