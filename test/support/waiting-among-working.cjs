const { default: Sequencer } = require('@jest/test-sequencer');

/** Projects whose files wait for processes, clocks and browsers more than they work. */
const WAITING = new Set(['e2e', 'wordpress']);
/** A waiting file takes about as long as so many others: as many workers wait as work, and no long file is the last. */
const WORKING_BESIDE_ONE = 6;

/** Spreads the files that wait among those that work, so that the cores have something to do from the first minute to the last. */
module.exports = class WaitingAmongWorking extends Sequencer {
  /** All files once, the long ones of each kind first. */
  sort(tests) {
    const sorted = super.sort(tests);
    const isWaiting = ({ context }) => WAITING.has(context.config.displayName?.name);
    const waiting = sorted.filter(isWaiting);
    const working = sorted.filter((test) => !isWaiting(test));
    return [
      ...waiting.flatMap((test, n) => [test, ...working.slice(n * WORKING_BESIDE_ONE, (n + 1) * WORKING_BESIDE_ONE)]),
      ...working.slice(waiting.length * WORKING_BESIDE_ONE),
    ];
  }
};
