import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The server's account when this process is root, because PostgreSQL refuses to run as root. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

export interface Binaries {
  postgres: string;
  initdb: string;
}

/** The folder for files that the server's account cannot access elsewhere. It survives a reboot. */
const SHARED_DIRECTORY = '/var/tmp';

/** Null if this process is not root. */
export async function serverAccount(): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    try {
      const uid = Number((await run('id', ['-u', name])).stdout);
      const gid = Number((await run('id', ['-g', name])).stdout);
      return { uid, gid };
    } catch {
      // The next name may exist.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and the accounts postgres and nobody, which could run it, are both missing',
  );
}

/** The programs; a copy if the account cannot access the original. */
export async function reachableBinaries(binaries: Binaries, account: ServerAccount | null): Promise<Binaries> {
  if (account === null || ((await isReachable(binaries.postgres)) && (await isExecutable(binaries.postgres))))
    return binaries;
  const native = dirname(dirname(binaries.postgres));
  // One copy for all projects on this machine with the same version.
  const { size } = await stat(binaries.postgres);
  const copy = join(SHARED_DIRECTORY, `passerelle-postgres-${digest(`${await versionOf(native)} ${size}`)}`);
  if (!(await isOurs(copy))) {
    const unfinished = `${copy}.${String(process.pid)}`;
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    // After an installation with a strict umask, only the owner can read the files.
    await run('chmod', ['-R', 'a+rX', unfinished]);
    // If two processes copy at the same time, the slower one uses the copy of the faster one.
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }));
  }
  return { postgres: join(copy, 'bin', 'postgres'), initdb: join(copy, 'bin', 'initdb') };
}

async function versionOf(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(native), 'package.json'), 'utf8')) as { version: string };
  return version;
}

/** The path becomes a link to a replacement folder, so that people can find and remove the data. */
export async function reachableDirectory(
  directory: string,
  account: ServerAccount | null,
  beforeRemoval: (directory: string) => Promise<void>,
): Promise<string> {
  const wanted = resolve(directory);
  await mkdir(dirname(wanted), { recursive: true });
  if (account === null || (await isReachable(wanted))) return wanted;
  const substitute = join(SHARED_DIRECTORY, `passerelle-data-${digest(wanted)}`);
  await mkdir(substitute, { recursive: true, mode: 0o711 });
  if (!(await isOurs(substitute))) throw new Error(`${substitute} belongs to another account: set DATA_DIR`);
  await chmod(substitute, 0o711);
  const data = join(substitute, 'postgres');
  if (!(await leadsTo(wanted, data))) {
    await beforeRemoval(data);
    await rm(data, { recursive: true, force: true });
    await symlink(data, wanted);
  }
  return data;
}

async function leadsTo(link: string, target: string): Promise<boolean> {
  try {
    return (await readlink(link)) === target;
  } catch {
    return false;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o005) === 0o005;
}

/** Whether every account may enter every folder above the path. */
async function isReachable(path: string): Promise<boolean> {
  const names = dirname(path).split(sep);
  for (let depth = 1; depth <= names.length; depth += 1) {
    const { mode } = await stat(names.slice(0, depth).join(sep) || sep);
    if ((mode & 0o001) === 0) return false;
  }
  return true;
}

async function isOurs(path: string): Promise<boolean> {
  try {
    const { uid, mode } = await lstat(path);
    return uid === 0 && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
