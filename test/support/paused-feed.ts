import type { Simulator } from '../../tools/simulator/simulator';

/** The next answer of the simulated Kyero stops in its midst until it is told to go on. */
export function pauseFeed(simulator: Simulator): { reached: Promise<void>; resume: () => void } {
  const handle = { resume: (): void => undefined };
  const resume = new Promise<void>((resolve) => (handle.resume = resolve));
  const reached = new Promise<void>((onPause) => {
    simulator.misbehave('kyero', { kind: 'paused', afterBytes: 1_500_000, onPause, resume });
  });
  return {
    reached,
    resume: () => {
      handle.resume();
    },
  };
}
