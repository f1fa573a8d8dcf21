import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

/** A disk of one megabyte. */
export interface SmallDisk {
  folder: string;
  unmount(): Promise<void>;
}

/** The disk is mounted for a process that waits, and is seen by others through that process. */
const MOUNTED = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0" && echo mounted && exec "$@"', tmpdir()];

/** Linux lets a process mount a disk of its own; where that is forbidden, tests that need one are skipped. */
export function canHaveSmallDisks(): boolean {
  return spawnSync('unshare', [...MOUNTED, 'true']).status === 0;
}

export async function startSmallDisk(): Promise<SmallDisk> {
  // It ends with its input, at the latest when this process does.
  const holder = spawn('unshare', [...MOUNTED, 'cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(holder, 'exit');
  await once(holder.stdout, 'data');
  return {
    folder: `/proc/${holder.pid}/root${tmpdir()}`,
    async unmount() {
      holder.stdin.end();
      await ended;
    },
  };
}
