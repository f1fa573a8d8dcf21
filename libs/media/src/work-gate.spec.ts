import { createWorkGate, TooBusy } from './work-gate';

describe('WorkGate', () => {
  it('admits calls up to its limit, then the waiting calls in the order of arrival', async () => {
    const gate = createWorkGate({ slots: 2, queue: 10 });
    const begun: number[] = [];
    const finish: (() => void)[] = [];
    const done = [0, 1, 2, 3].map((number) =>
      gate.run(() => {
        begun.push(number);
        return new Promise<void>((resolve) => finish.push(resolve));
      }),
    );
    await tick();
    expect(begun).toEqual([0, 1]);

    finish[1]!();
    await tick();
    expect(begun).toEqual([0, 1, 2]);

    finish[0]!();
    await tick();
    finish[2]!();
    finish[3]!();
    await Promise.all(done);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('rejects calls when its queue is full, and accepts them again later', async () => {
    const gate = createWorkGate({ slots: 1, queue: 1 });
    const work = (): Promise<string> => tick().then(() => 'done');
    const [first, second, third] = [gate.run(work), gate.run(work), gate.run(work)];

    await expect(third).rejects.toThrow(TooBusy);
    expect(await Promise.all([first, second])).toEqual(['done', 'done']);
    expect(await gate.run(work)).toBe('done');
  });

  it('admits the next call when a call fails', async () => {
    const gate = createWorkGate({ slots: 1, queue: 1 });

    await expect(gate.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    expect(await gate.run(() => Promise.resolve('done'))).toBe('done');
  });
});

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
