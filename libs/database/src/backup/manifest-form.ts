export interface Table {
  name: string;
  /** Columns in the order of a row's values. */
  columns: string[];
}

/** A sequence of identifiers, with the last value that it issued. */
export interface Sequence {
  name: string;
  value: string;
}

export interface BackupManifest {
  format: number;
  /** ISO 8601 in UTC. */
  takenAt: string;
  /** The migrations that the saved database had run. */
  schema: string[];
  /** Tables, in the order in which a restore can fill them. */
  tables: BackupTable[];
  sequences: Sequence[];
  /** Fingerprint of the installation's own secret: it shows whether two installations have the same secret. */
  pepper?: string;
  /** True when the row counts are exact. Earlier releases may have counted too few rows: compare only the digests. */
  rowsCounted?: boolean;
}

export interface BackupTable extends Table {
  rows: number;
  /** One part for each partition of a table that is divided by gateway; one part for another table. */
  parts: BackupPart[];
}

/** A part of a table's file, gzipped separately; it begins where the previous part ends. */
export interface BackupPart {
  rows: number;
  bytes: number;
  /** SHA-256 of the bytes, as hexadecimal. */
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
