import { CopiedBytes } from './copied-bytes';

describe('bytes of an answer', () => {
  it('are what came, in order, beyond what the memory held at first', () => {
    const copied = CopiedBytes.take();
    const chunks = Array.from({ length: 20 }, (_, at) => Buffer.alloc(100_000, at));
    for (const chunk of chunks) copied.add(chunk);
    expect(copied.bytes.equals(Buffer.concat(chunks))).toBe(true);
    copied.giveBack();
  });

  it('use the memory of those before, and never that of those beside', () => {
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

  it('are gone once they are given back, also twice', () => {
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

  it('are overwritten in tests once they are given back', () => {
    const copied = CopiedBytes.take();
    copied.add(Buffer.from('a'));
    const { bytes } = copied;
    copied.giveBack();
    expect(bytes).toEqual(Buffer.from([0xff]));
  });

  it('leave no memory behind that only a very large answer needs', () => {
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
