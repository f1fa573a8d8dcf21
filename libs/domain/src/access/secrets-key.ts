import { nameOfSecret } from './key-hashes';

export interface SecretsKeys {
  secretsKey: string | null;
  secretsKeyOld: string | null;
}

/** The database's record of its SECRETS_KEY. */
export interface SecretsKeyState {
  /** The name of the key; null until a process that has a key and may write has started. */
  name: string | null;
  /** The key names in the stored hashes; used while `name` is null. */
  carried: readonly string[];
  /** Whether the database contains anything that was sealed or hashed with a key. */
  isUsed: boolean;
}

/** Why a process with these keys must not work with the database, as one line; null when the keys are accepted. */
export function secretsKeyFault({ secretsKey, secretsKeyOld }: SecretsKeys, state: SecretsKeyState): string | null {
  if (secretsKey === null) {
    return state.isUsed ? 'SECRETS_KEY is missing: keys or secrets in the database were made with it' : null;
  }
  const accepted = state.name === null ? state.carried : [state.name];
  if (accepted.length === 0 || accepted.includes(nameOfSecret(secretsKey))) return null;
  if (secretsKeyOld !== null && accepted.includes(nameOfSecret(secretsKeyOld))) return null;
  return secretsKeyOld === null
    ? 'SECRETS_KEY is not the key of this database: set the right one, or during a rotation the previous one as SECRETS_KEY_OLD'
    : 'neither SECRETS_KEY nor SECRETS_KEY_OLD is the key of this database: set the right one';
}

/** The name to store: the previous key's name until `rekey` has sealed everything again. */
export function firstSecretsKeyName(
  { secretsKey, secretsKeyOld }: SecretsKeys,
  { carried }: Pick<SecretsKeyState, 'carried'>,
): string | null {
  if (secretsKey === null) return null;
  const name = nameOfSecret(secretsKey);
  const oldName = secretsKeyOld === null ? null : nameOfSecret(secretsKeyOld);
  return oldName !== null && carried.includes(oldName) && !carried.includes(name) ? oldName : name;
}
