import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Refused } from './failures';
import type { Environment } from './io';

/** Where the operators' tools work. */
export interface Instance {
  databaseUrl: string;
  /** Undefined where neither the environment nor a running `npm start` has one. */
  secretsKey: string | undefined;
}

const DEFAULT_DATA_DIR = '.data';

/** The part of what `npm start` writes down that matters here. */
const instanceFile = z.object({ pid: z.int().positive(), databaseUrl: z.string(), secretsKey: z.string().optional() });

/**
 * The database that `DATABASE_URL` names, else that of the `npm start` which runs in `DATA_DIR`.
 *
 * @throws Refused when there is neither.
 */
export async function locateInstance(env: Environment): Promise<Instance> {
  const directory = env['DATA_DIR'] || DEFAULT_DATA_DIR;
  const running = await readRunning(directory);
  const databaseUrl = env['DATABASE_URL'] || running?.databaseUrl;
  if (databaseUrl === undefined) {
    throw new Refused(`nothing runs in ${directory}: start it with npm start, or set DATABASE_URL`);
  }
  // The key of another database's installation would seal what nobody can open.
  const keyOfInstance = running?.databaseUrl === databaseUrl ? running.secretsKey : undefined;
  return { databaseUrl, secretsKey: env['SECRETS_KEY'] || keyOfInstance };
}

async function readRunning(directory: string): Promise<z.infer<typeof instanceFile> | null> {
  let text: string;
  try {
    text = await readFile(join(directory, 'instance.json'), 'utf8');
  } catch {
    return null;
  }
  // A file that is being written, or of another version, is as good as none.
  const parsed = instanceFile.safeParse(parseJson(text));
  return parsed.success && isAlive(parsed.data.pid) ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
