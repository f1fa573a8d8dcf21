export abstract class Clock {
  /** Milliseconds since 1970. */
  abstract nowMs(): number;
  /** Milliseconds since an arbitrary moment; never goes back. */
  abstract monotonicMs(): number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};
