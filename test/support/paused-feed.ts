import type { Simulator } from '../../tools/simulator/simulator';

/** Stops the next answer of the simulated Kyero in its middle until the test calls `resume`. */
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
