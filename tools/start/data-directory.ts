import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CannotStart, oneLine } from './one-line';

export interface Secrets {
  secretsKey: string;
  consoleSecret: string;
  opsToken: string;
  databasePassword: string;
}

/** Creates the folder and its subfolders. @throws CannotStart when it cannot write there. */
export async function prepareDataDirectory(dataDir: string, inboxDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await mkdir(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
    const probe = join(dataDir, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    throw new CannotStart(
      `DATA_DIR ${dataDir} cannot be written (${codeOf(error)}): fix its rights, or set DATA_DIR to another folder`,
    );
  }
  try {
    await mkdir(inboxDir, { recursive: true });
  } catch (error) {
    throw new CannotStart(`INBOX_DIR ${inboxDir} cannot be made (${codeOf(error)}): fix its rights, or set INBOX_DIR`);
  }
}

/** Reads the installation's secrets, or generates them at the first start. Adds those that are new in this release. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const stored = await readIfThere(path);
  if (stored !== null) {
    const { secrets, isComplete } = parseSecrets(stored, path);
    if (!isComplete) await writePrivately(path, secrets);
    return secrets;
  }
  if (existsSync(join(dataDir, 'postgres'))) {
    throw new CannotStart(
      `${path} is missing, and without it the database beside it cannot be opened: restore it, or remove ${dataDir} to start again`,
    );
  }
  const secrets: Secrets = {
    secretsKey: randomBytes(32).toString('base64url'),
    consoleSecret: newConsoleSecret(),
    opsToken: randomBytes(24).toString('base64url'),
    databasePassword: randomBytes(24).toString('base64url'),
  };
  await writePrivately(path, secrets);
  return secrets;
}

/** A concurrent reader sees the old or the new file, never a partial one. */
export async function writePrivately(path: string, value: object): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new CannotStart(`${path} cannot be read (${codeOf(error)})`);
  }
}

function newConsoleSecret(): string {
  return randomBytes(32).toString('base64url');
}

function parseSecrets(text: string, path: string): { secrets: Secrets; isComplete: boolean } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = null;
  }
  const find = (name: keyof Secrets): unknown =>
    typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>)[name] : undefined;
  const value = (name: keyof Secrets): string => {
    const found = find(name);
    if (typeof found !== 'string' || found === '') throw new CannotStart(`${path} is damaged: "${name}" is missing`);
    return found;
  };
  // The file of an earlier release has no console secret.
  const isComplete = find('consoleSecret') !== undefined;
  const secrets: Secrets = {
    secretsKey: value('secretsKey'),
    consoleSecret: isComplete ? value('consoleSecret') : newConsoleSecret(),
    opsToken: value('opsToken'),
    databasePassword: value('databasePassword'),
  };
  return { secrets, isComplete };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : oneLine(error);
}
