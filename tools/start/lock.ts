import { rmSync } from 'node:fs';
import { link, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writePrivately } from './data-directory';
import { CannotStart, say } from './one-line';
import { endProcess, isRunning } from './processes';

/** Ensures that only one `npm start` uses a data folder at a time. */
export interface Lock {
  /** Records a child process, so that a later start can end it if this process is killed. */
  noteChild(pid: number, script: string): Promise<void>;
  /** Synchronous, because it also runs while the process exits. */
  release: () => void;
}

interface LockNote {
  pid: number;
  children: { pid: number; script: string }[];
}

/** The command line of every `npm start` contains this. */
const OUR_SCRIPT = join('tools', 'start');
const LEFTOVER_PATIENCE_MS = 10_000;

/** @throws CannotStart with the id of the process that uses the folder. */
export async function lockDataDirectory(dataDir: string): Promise<Lock> {
  const path = join(dataDir, 'start.lock');
  const note: LockNote = { pid: process.pid, children: [] };
  while (!(await createNote(path, note))) await clearStaleNote(path, dataDir);
  return {
    async noteChild(pid, script) {
      note.children.push({ pid, script });
      await writePrivately(path, note);
    },
    release() {
      rmSync(path, { force: true });
    },
  };
}

/** @returns false when a note already exists. */
async function createNote(path: string, note: LockNote): Promise<boolean> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, JSON.stringify(note), { mode: 0o600 });
  try {
    // A hard link is created atomically and never replaces a file.
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Ends the processes that a killed start has left running, and removes the note of that start. */
async function clearStaleNote(path: string, dataDir: string): Promise<void> {
  const text = await readIfThere(path);
  if (text === null) return;
  const note = parseNote(text);
  if (note !== null && note.pid !== process.pid && isRunning(note.pid, [OUR_SCRIPT])) {
    throw new CannotStart(
      `it is running already in ${dataDir} (process ${note.pid}): stop that one, or set DATA_DIR, PORT, OPS_PORT and CONSOLE_PORT`,
    );
  }
  say(`An earlier start (process ${note?.pid ?? 'unknown'}) did not end properly: cleaning up after it.`);
  for (const { pid, script } of note?.children ?? []) {
    const isThere = (): boolean => isRunning(pid, [script]);
    if (isThere()) await endProcess(pid, isThere, LEFTOVER_PATIENCE_MS);
  }
  await rm(path, { force: true });
}

function parseNote(text: string): LockNote | null {
  try {
    const note = JSON.parse(text) as LockNote;
    return typeof note.pid === 'number' && Array.isArray(note.children) ? note : null;
  } catch {
    return null;
  }
}
