import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Table {
  name: string;
  /** In the order in which their values stand in a row. */
  columns: string[];
}

/** A counter of identifiers, with the last one that it gave. */
export interface Sequence {
  name: string;
  value: string;
}

/** What is in a backup. */
export interface BackupManifest {
  /** Of these files; another number is another way of writing them. */
  format: number;
  /** ISO 8601 in UTC. */
  takenAt: string;
  /** The migrations of the database that it was taken of. */
  schema: string[];
  /** In the order in which they can be filled. */
  tables: BackupTable[];
  sequences: Sequence[];
  /** Tells the installation's own secret, with which keys are hashed without a SECRETS_KEY, from others. */
  pepper?: string;
}

export interface BackupTable extends Table {
  rows: number;
  /** Those of gateways as the database has them, so that one gateway is found in one of them; of others one. */
  parts: BackupPart[];
}

/** What stands in a file behind the parts before it, gzipped by itself. */
export interface BackupPart {
  rows: number;
  bytes: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** The backup cannot be taken or restored. The message says why, for an operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

export const FORMAT = 2;
const FILE = 'manifest.json';

/** Where the rows of a table are. */
export function fileOf(directory: string, table: string): string {
  return join(directory, `${table}.copy.gz`);
}

/** The last file of a backup: without it, none is complete. */
export async function writeManifest(directory: string, manifest: BackupManifest): Promise<void> {
  const unfinished = join(directory, `${FILE}.unfinished`);
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, join(directory, FILE));
}

/** @throws BackupRefused when there is no complete backup that this release can read. */
export async function readManifest(directory: string): Promise<BackupManifest> {
  const text = await readFile(join(directory, FILE), 'utf8').catch(() => null);
  if (text === null) throw new BackupRefused(`${directory} holds no complete backup: it has no ${FILE}`);
  const manifest = parseJson(text);
  if (!isManifest(manifest)) throw new BackupRefused(`${join(directory, FILE)} is damaged, or of another release`);
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isManifest(value: unknown): value is BackupManifest {
  if (typeof value !== 'object' || value === null) return false;
  const { format, takenAt, schema, tables, sequences } = value as Partial<Record<keyof BackupManifest, unknown>>;
  return (
    format === FORMAT &&
    typeof takenAt === 'string' &&
    Array.isArray(schema) &&
    Array.isArray(tables) &&
    Array.isArray(sequences)
  );
}
