import type { Kind } from './kinds';

/** The programs that read settings. `npm run try` reads one or two, and is not listed. */
export type Program = 'API' | 'ingestor' | 'console' | 'ops' | 'migrate' | 'npm start';

/** An environment variable of the product. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  /** The value when it is not set; null for no default. */
  readonly fallback: T;
  readonly readBy: readonly Program[];
  /** These programs do not start without it. */
  readonly requiredBy?: readonly Program[];
  /** For README.md. */
  readonly about: string;
  /** For README.md, when the fallback depends on something. */
  readonly fallbackInWords?: string;
  /** May be read from the file that NAME_FILE names; has no default in compose files. */
  readonly isSecret?: true;
  /** The setting that holds the password of this address, when the address has none. */
  readonly passwordFrom?: 'DATABASE_PASSWORD' | 'REDIS_PASSWORD';
  /** Set by our own programs for each other: not for README.md. */
  readonly isInternal?: true;
}

type Description<T> = Omit<Setting<T>, 'kind' | 'fallback'>;

/** A setting with a default. */
export function withDefault<T>(kind: Kind<T>, fallback: NoInfer<T>, description: Description<T>): Setting<T> {
  return { kind, fallback, ...description };
}

/** An optional setting. */
export function optional<T>(kind: Kind<T>, description: Description<T>): Setting<T | null> {
  return { kind, fallback: null, ...description };
}
