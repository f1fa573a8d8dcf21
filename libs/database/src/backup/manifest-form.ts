export interface Table {
  name: string;
  /** In the order of the values in a row. */
  columns: string[];
}

/** A counter of identifiers, with the last one that it gave. */
export interface Sequence {
  name: string;
  value: string;
}

/** The contents of a backup. */
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
  /**
   * True when the numbers of rows are those of the files. Earlier releases noted the number that the driver knew at the end of the data, which
   * was sometimes too small: for their files the digests decide alone.
   */
  rowsCounted?: boolean;
}

export interface BackupTable extends Table {
  rows: number;
  /** Those of gateways as the database has them, so that one gateway is found in one of them; of others one. */
  parts: BackupPart[];
}

/** A part of a table's file, gzipped by itself; it begins where the previous part ends. */
export interface BackupPart {
  rows: number;
  bytes: number;
  /** SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** Whether a value has the form of a manifest. Names of tables and columns are compared with the catalogue later. */
export function isManifest(value: unknown, format: number): value is BackupManifest {
  if (!isObject(value)) return false;
  const { takenAt, schema, tables, sequences, pepper, rowsCounted } = value;
  return (
    value['format'] === format &&
    typeof takenAt === 'string' &&
    ISO_TIME.test(takenAt) &&
    isListOf(schema, isText) &&
    isListOf(tables, isTable) &&
    isListOf(sequences, isSequence) &&
    (pepper === undefined || isText(pepper)) &&
    (rowsCounted === undefined || typeof rowsCounted === 'boolean')
  );
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]{8,16}Z$/;
const SHA256 = /^[0-9a-f]{64}$/;
const DIGITS = /^\d{1,18}$/;

function isTable(value: unknown): value is BackupTable {
  if (!isObject(value)) return false;
  const { name, columns, rows, parts } = value;
  return isText(name) && isListOf(columns, isText) && isCount(rows) && isListOf(parts, isPart) && parts.length > 0;
}

function isPart(value: unknown): value is BackupPart {
  if (!isObject(value)) return false;
  const { rows, bytes, sha256 } = value;
  return isCount(rows) && isCount(bytes) && typeof sha256 === 'string' && SHA256.test(sha256);
}

function isSequence(value: unknown): value is Sequence {
  return isObject(value) && isText(value['name']) && typeof value['value'] === 'string' && DIGITS.test(value['value']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isListOf<T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(isOne);
}
