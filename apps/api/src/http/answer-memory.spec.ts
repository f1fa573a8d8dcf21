import { AnswerMemory } from './answer-memory';

describe('AnswerMemory', () => {
  it('reuses memory after it was given back, and not before', () => {
    const memory = new AnswerMemory();
    const [first, second] = [memory.take(10), memory.take(20)];
    expect(first.buffer).not.toBe(second.buffer);
    memory.giveBack(first);
    const third = memory.take(600_000);
    expect([first.buffer, second.buffer]).not.toContain(third.buffer);
    expect(memory.take(30).buffer).toBe(first.buffer);
    expect(memory.take(10)).toHaveLength(10);
  });

  it('overwrites memory that is given back, in tests', () => {
    const memory = new AnswerMemory();
    const taken = memory.take(2).fill('a');
    memory.giveBack(taken);
    expect(taken).toEqual(Buffer.from([0xff, 0xff]));
  });

  it('ignores buffers that it did not allocate', () => {
    const memory = new AnswerMemory();
    const small = Buffer.from('[');
    memory.giveBack(small);
    expect(memory.take(1).buffer).not.toBe(small.buffer);
  });

  it('allocates memory in multiples of its step', () => {
    const memory = new AnswerMemory({ stepBytes: 1_000 });
    expect([1, 1_000, 1_001].map((bytes) => memory.take(bytes).buffer.byteLength)).toEqual([1_000, 1_000, 2_000]);
  });

  it('leaves memory to V8 when enough of it is free', () => {
    const memory = new AnswerMemory({ mostFreeBytes: 600_000 });
    const [first, second] = [memory.take(10), memory.take(10)];
    memory.giveBack(first);
    memory.giveBack(second);
    expect([memory.take(10), memory.take(10)].map(({ buffer }) => buffer)).not.toContain(second.buffer);
  });
});
