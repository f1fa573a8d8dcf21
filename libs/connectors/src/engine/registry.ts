import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Connector } from '../kit/contracts';

export interface ConnectorRegistry {
  /** Sorted by code. */
  list(): readonly Connector[];
  get(code: string): Connector | undefined;
}

const CODE = /^[a-z][a-z0-9-]{0,39}$/;
const FILES = ['connector.js', 'connector.ts'];
const SOURCES = join(__dirname, '..', 'sources');
// The folders are only known at run time. This works in compiled code and in TypeScript sources.
const load = createRequire(__filename);

/**
 * Loads one connector from each folder of `sources/`; a connector needs no other registration. @throws Error that names
 * the folder and the fault.
 */
export async function loadRegistry(directory: string = SOURCES): Promise<ConnectorRegistry> {
  const byCode = new Map<string, Connector>();
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) byCode.set(entry.name, loadConnector(entry.name, directory));
  }
  const sorted = [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  return { list: () => sorted, get: (code) => byCode.get(code) };
}

/** Loads one connector without the others. @throws Error with one line that says what is wrong with its folder. */
export function loadConnector(name: string, directory: string = SOURCES): Connector {
  const refuse = (why: string): Error => new Error(`sources/${name} ${why}`);
  if (!CODE.test(name)) throw refuse('is not a connector code: use lower-case letters, digits and hyphens');
  const folder = join(directory, name);
  const file = FILES.map((candidate) => join(folder, candidate)).find(existsSync);
  if (file === undefined) throw refuse('has no connector.ts');
  const exported: unknown = load(file);
  if (!isRecord(exported) || !isRecord(exported['connector']))
    throw refuse('has a connector.ts that does not export "connector"');
  const { connector } = exported;
  if (!isConnector(connector)) throw refuse(`exports a connector without ${missingMembers(connector).join(', ')}`);
  if (connector.code !== name)
    throw refuse(`exports the connector "${connector.code}": code and folder must be the same`);
  return connector;
}

const MEMBERS = {
  code: 'string',
  label: 'string',
  type: 'string',
  notes: 'string',
  version: 'number',
  credentials: 'object',
  settings: 'object',
  fetch: 'object',
  open: 'object',
  format: 'object',
  map: 'function',
} as const satisfies Partial<Record<keyof Connector, string>>;

function missingMembers(connector: Record<string, unknown>): string[] {
  return Object.entries(MEMBERS)
    .filter(([member, type]) => typeof connector[member] !== type || connector[member] === null)
    .map(([member]) => member);
}

function isConnector(value: unknown): value is Connector {
  return isRecord(value) && missingMembers(value).length === 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
