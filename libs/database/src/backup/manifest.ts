import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ManifestKeys } from '@passerelle/domain';
import { type BackupManifest, isManifest } from './manifest-form';

export type { BackupManifest, BackupPart, BackupTable, Sequence, Table } from './manifest-form';

/** The backup cannot be taken or restored. The message says why, for an operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

/** Which files are accepted: files that this installation signed, and with `acceptForeign` any files. */
export interface Trust {
  keys: ManifestKeys;
  acceptForeign: boolean;
}

export interface ReadManifest {
  manifest: BackupManifest;
  isForeign: boolean;
}

export const FORMAT = 2;
const FILE = 'manifest.json';
const SIGNATURE_FILE = 'manifest.signature';
const LONGEST_SHOWN = 60;

export function fileOf(directory: string, table: string): string {
  return join(directory, `${table}.copy.gz`);
}

export function manifestFile(directory: string): string {
  return join(directory, FILE);
}

/** A name from a file, shortened to one line so that a message can show it. */
export function shown(name: string): string {
  return JSON.stringify(name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name);
}

/** Writes the manifest last: a backup without a manifest is not complete. */
export async function writeManifest(directory: string, manifest: BackupManifest, keys: ManifestKeys): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const signature = keys.sign(Buffer.from(text));
  if (signature !== null) await write(join(directory, SIGNATURE_FILE), `${signature}\n`);
  await write(manifestFile(directory), text);
}

async function write(path: string, text: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await rename(unfinished, path);
}

/** @throws BackupRefused when the backup is missing, incomplete, unreadable for this release or not trusted */
export async function readManifest(directory: string, trust: Trust): Promise<ReadManifest> {
  const bytes = await readFile(manifestFile(directory)).catch(() => null);
  if (bytes === null) throw new BackupRefused(`${directory} holds no complete backup: it has no ${FILE}`);
  const signature = await readFile(join(directory, SIGNATURE_FILE), 'utf8').catch(() => null);
  const isForeign = signature === null || !trust.keys.verifies(bytes, signature);
  if (isForeign && !trust.acceptForeign) throw new BackupRefused(whyForeign(directory, trust.keys, signature));
  const manifest = parseJson(bytes.toString('utf8'));
  if (!isManifest(manifest, FORMAT)) {
    throw new BackupRefused(`${manifestFile(directory)} is damaged, or of another release`);
  }
  return { manifest, isForeign };
}

function whyForeign(directory: string, keys: ManifestKeys, signature: string | null): string {
  const consent = 'if you trust where it comes from, give --accept-foreign';
  if (keys.isEmpty) return `${directory} cannot be verified, because there is no SECRETS_KEY here: ${consent}`;
  if (signature === null) {
    return `${directory} is not signed (an earlier release wrote it, or one without SECRETS_KEY): ${consent}`;
  }
  return (
    `the signature of ${manifestFile(directory)} is not from this installation, or the file was changed: give the SECRETS_KEY ` +
    `that signed it as SECRETS_KEY_OLD, or ${consent}`
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** @throws BackupRefused when the directory is not empty, or cannot be made. */
export async function makeEmpty(directory: string): Promise<void> {
  // The files contain hashes of keys, credentials and listings: only the owner of the directory may read them.
  await makeDirectory(resolve(directory));
  if ((await readdir(directory)).length > 0) throw new BackupRefused(`${directory} is not empty`);
}

/** Node's recursive mkdir never returns on a file system that refuses new folders, such as /proc. */
async function makeDirectory(directory: string): Promise<void> {
  if (await isThere(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) await makeDirectory(parent);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (cause) {
    if (await isThere(directory)) return;
    const why = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : String(cause);
    throw new BackupRefused(`${directory} cannot be made (${why})`, { cause });
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
