import { LISTING_FIELDS, type ListingField } from '@passerelle/domain';
import type { AddressTarget, ApiTarget, ExportContext, ExportItem, FileTarget, Shortfall } from './contracts';
import { type Requirement, shortfallsOf } from './requirements';

/** Members with a default, and `shortfalls`, which `required` replaces. */
type Optional = 'version' | 'credentials' | 'requiredCredentials' | 'settings' | 'requiredSettings' | 'shortfalls';
type Declared<T> = Omit<T, Optional> & {
  /** Default 1. */
  version?: number;
  /** Default none. A target of transport `file` always has `FILE_CREDENTIALS`. */
  credentials?: Readonly<Record<string, string>>;
  /** Default none; `url` for transport `file`. */
  requiredCredentials?: readonly string[];
  /** Default none. A target of transport `file` always has `FILE_SETTINGS`. */
  settings?: Readonly<Record<string, string>>;
  /** Default none. */
  requiredSettings?: readonly string[];
  /** The needs of a listing. The same list decides what is sent and what operators read. */
  required: readonly Requirement[];
};

export type TargetDeclaration = Declared<AddressTarget> | Declared<FileTarget> | Declared<ApiTarget>;

type TargetOf<D> = D extends { transport: 'address' }
  ? AddressTarget
  : D extends { transport: 'file' }
    ? FileTarget
    : ApiTarget;

/** For the upload, the same names as for a source of a gateway. */
export const FILE_CREDENTIALS: Readonly<Record<string, string>> = {
  url: 'Where the file is uploaded: ftp://, ftps:// or sftp:// with the host and the folder.',
  user: 'User name of the upload.',
  password: 'Password that belongs to `user`.',
  'private-key': 'For sftp: the private key that belongs to `user`, in the format of OpenSSH or PEM.',
  passphrase: 'For sftp: opens `private-key`, where it is encrypted.',
};

export const FILE_SETTINGS: Readonly<Record<string, string>> = {
  'host-key': 'For sftp: fingerprint of the key that the server must show, SHA256:…; without it any key is accepted.',
};

const CODE = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const OPTION_NAME = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;

/** Checks the declaration, so that a faulty one stops the process at boot. @throws Error that names the fault */
export function defineTarget<D extends TargetDeclaration>(declaration: D): TargetOf<D> {
  const { required, ...facts } = declaration;
  const isFile = facts.transport === 'file';
  const target = {
    version: 1,
    requiredSettings: [],
    ...facts,
    credentials: { ...(isFile && FILE_CREDENTIALS), ...facts.credentials },
    requiredCredentials: [...(isFile ? ['url'] : []), ...(facts.requiredCredentials ?? [])],
    settings: { ...(isFile && FILE_SETTINGS), ...facts.settings },
    shortfalls: (item: ExportItem, context: ExportContext): readonly Shortfall[] =>
      shortfallsOf(required, item, context),
  };
  const problem = problemOf(target);
  if (problem !== undefined) throw new Error(`target "${target.code}": ${problem}`);
  return Object.freeze(target) as unknown as TargetOf<D>;
}

interface Checked {
  code: string;
  label: string;
  notes: string;
  country?: string | undefined;
  version: number;
  maxPhotos: number;
  fields: readonly ListingField[];
  credentials: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  requiredCredentials: readonly string[];
  requiredSettings: readonly string[];
  choices?: Readonly<Record<string, readonly string[]>> | undefined;
}

function problemOf(target: Checked): string | undefined {
  if (!CODE.test(target.code)) return 'a code is lower-case letters, digits and hyphens';
  if (target.label.trim() === '') return 'a label is what people read: it must not be empty';
  if (target.notes.trim() === '') return 'notes must say what the portal wants';
  if (target.country !== undefined && !/^[A-Z]{2}$/.test(target.country)) return 'a country is ISO 3166-1 alpha-2';
  if (!Number.isInteger(target.version) || target.version < 1) return 'a version is a whole number from 1';
  if (!Number.isInteger(target.maxPhotos) || target.maxPhotos < 0) return 'maxPhotos is a whole number from 0';
  return fieldsProblem(target.fields) ?? optionsProblem(target) ?? choicesProblem(target);
}

function fieldsProblem(fields: readonly ListingField[]): string | undefined {
  if (fields.length === 0) return 'fields must name what the format can carry';
  const unknown = fields.find((field) => !LISTING_FIELDS.includes(field));
  if (unknown !== undefined) return `"${unknown}" is not a field of a listing`;
  return new Set(fields).size < fields.length ? 'a field is named twice' : undefined;
}

function optionsProblem(target: Checked): string | undefined {
  for (const [kind, options, required] of [
    ['credential', target.credentials, target.requiredCredentials],
    ['setting', target.settings, target.requiredSettings],
  ] as const) {
    for (const [name, sentence] of Object.entries(options)) {
      if (!OPTION_NAME.test(name)) return `the ${kind} "${name}" is not in lower-case letters, digits and hyphens`;
      if (sentence.trim() === '') return `the ${kind} "${name}" needs a sentence that explains it`;
    }
    const unknown = required.find((name) => !Object.hasOwn(options, name));
    if (unknown !== undefined) return `the required ${kind} "${unknown}" is not declared`;
  }
  return undefined;
}

function choicesProblem({ settings, choices = {} }: Checked): string | undefined {
  for (const [name, values] of Object.entries(choices)) {
    if (!Object.hasOwn(settings, name)) return `the setting "${name}" has values, and is not declared`;
    if (values.length < 2) return `the setting "${name}" needs at least two values`;
  }
  return undefined;
}
