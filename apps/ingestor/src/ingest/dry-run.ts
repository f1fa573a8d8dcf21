import type { VersionStore } from './snapshot-assembly';

/** Stores nothing: for runs that only show what they would do. Its versions count down from -1. */
export function nowhere(): VersionStore {
  let last = 0;
  return {
    addVersions: (versions) => Promise.resolve(versions.map(() => (last -= 1))),
    dropVersions: () => Promise.resolve(),
  };
}
