import { executionAsyncResource } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TickShape } from './tick-shape';

// V8's own view of two objects: whether it takes them for the same shape.
setFlagsFromString('--allow-natives-syntax');
setFlagsFromString('--expose-gc');
const haveSameShape = runInNewContext('(a, b) => %HaveSameMap(a, b)') as (a: unknown, b: unknown) => boolean;
const collectGarbage = runInNewContext('gc') as () => void;

const nextTick = (): Promise<object> =>
  new Promise((resolve) => {
    process.nextTick(() => {
      resolve(executionAsyncResource());
    });
  });

/** Keeps a record that has the shape of the next ones: while a process warms up, shapes change. */
async function keepOne(): Promise<TickShape> {
  for (let tries = 0; tries < 100; tries += 1) {
    const shape = new TickShape();
    await nextTick();
    if (haveSameShape(shape.record, await nextTick())) return shape;
    shape.stop();
  }
  throw new Error('no record has the shape of the next one');
}

describe('the shape of a tick', () => {
  it('is kept over full garbage collections', async () => {
    const shape = await keepOne();
    try {
      for (let n = 0; n < 3; n += 1) collectGarbage();
      const record = await nextTick();
      expect(Object.keys(record)).toContain('callback');
      expect(shape.record).not.toBe(record);
      expect(haveSameShape(shape.record, record)).toBe(true);
      expect(haveSameShape(shape.record, { callback: null })).toBe(false);
    } finally {
      shape.stop();
    }
  });
});
