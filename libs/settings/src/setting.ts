import type { Kind } from './kinds';

/** The programs that read settings. `npm run try` is not listed, because it reads only one or two settings. */
export type Program = 'API' | 'ingestor' | 'console' | 'ops' | 'migrate' | 'npm start';

export interface Setting<T> {
  readonly kind: Kind<T>;
  /** The value when the variable is not set; null for no default. */
  readonly fallback: T;
  readonly readBy: readonly Program[];
  /** The programs that do not start without this setting. */
  readonly requiredBy?: readonly Program[];
  /** For README.md. */
  readonly about: string;
  /** The default in words for README.md, if the default depends on other facts. */
  readonly fallbackInWords?: string;
  /** A secret may also be in the file that NAME_FILE names; it has no default in compose files. */
  readonly isSecret?: true;
  /** The setting with the password for this address, if the address contains none. */
  readonly passwordFrom?: 'DATABASE_PASSWORD' | 'REDIS_PASSWORD';
  /** Only set by the product's own programs for each other, and not listed in README.md. */
  readonly isInternal?: true;
}

type Description<T> = Omit<Setting<T>, 'kind' | 'fallback'>;

export function withDefault<T>(kind: Kind<T>, fallback: NoInfer<T>, description: Description<T>): Setting<T> {
  return { kind, fallback, ...description };
}

/** An optional setting. */
export function optional<T>(kind: Kind<T>, description: Description<T>): Setting<T | null> {
  return { kind, fallback: null, ...description };
}
