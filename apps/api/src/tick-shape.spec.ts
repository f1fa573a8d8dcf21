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

describe('the shape of a tick', () => {
  it('is kept over full garbage collections', async () => {
    const shape = new TickShape();
    try {
      await nextTick();
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
