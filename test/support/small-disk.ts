import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';

/** A disk of one megabyte. */
export interface SmallDisk {
  folder: string;
  unmount(): Promise<void>;
}

/** A waiting process mounts the disk; other processes access it through /proc of that process. */
const MOUNTED = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs "$0" && echo mounted && exec "$@"', tmpdir()];

/** Whether Linux lets this process mount a disk; otherwise jest skips tests that need such a disk. */
export function canHaveSmallDisks(): boolean {
  return spawnSync('unshare', [...MOUNTED, 'true']).status === 0;
}

export async function startSmallDisk(): Promise<SmallDisk> {
  // `holder` ends when its input closes, at the latest when this process ends.
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
