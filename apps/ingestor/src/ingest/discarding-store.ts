import type { VersionStore } from './version-batches';

/** Stores nothing, for runs that only show what they would do. Its versions get the ids -1, -2 and so on. */
export function discardingStore(): VersionStore {
  let lastId = 0;
  return {
    addVersions: (versions) => Promise.resolve(versions.map(() => (lastId -= 1))),
    dropVersions: () => Promise.resolve(),
  };
}
