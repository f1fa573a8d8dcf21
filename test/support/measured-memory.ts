import { setTimeout as sleep } from 'node:timers/promises';
import type { Program } from './program';

const SCRIPT = `
  import v8 from 'node:v8';
  import vm from 'node:vm';
  v8.setFlagsFromString('--expose-gc');
  const gc = vm.runInNewContext('gc');
  process.on('SIGUSR2', () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    process.stdout.write('\\n' + JSON.stringify({ measured: (heapUsed + external) / 1e6 }) + '\\n');
  });`;

/** Environment that limits a program's heap (in MB) and lets `memoryOf` measure the program. */
export function measured(heapMb: number): { NODE_OPTIONS: string } {
  return {
    NODE_OPTIONS: `--max-old-space-size=${heapMb} --import data:text/javascript,${encodeURIComponent(SCRIPT)}`,
  };
}

/** Collects garbage in a program. @returns its memory in MB: the heap, and buffers outside the heap */
export async function memoryOf(program: Program): Promise<number> {
  const before = measurements(program).length;
  program.signal('SIGUSR2');
  for (let n = 0; n < 600; n += 1) {
    const [last, count] = [measurements(program).at(-1), measurements(program).length];
    if (count > before && last !== undefined) return last;
    await sleep(50);
  }
  throw new Error(`the program does not answer:\n${program.output().slice(-2_000)}`);
}

function measurements(program: Program): number[] {
  return [...program.output().matchAll(/^\{"measured":([\d.]+)\}$/gm)].map(([, mb]) => Number(mb));
}
