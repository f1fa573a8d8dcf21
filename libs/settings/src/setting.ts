import type { Kind } from './kinds';

/** What reads settings. `npm run try` reads one or two of them, and is not named. */
export type Program = 'API' | 'ingestor' | 'console' | 'ops' | 'migrate' | 'npm start';

/** An environment variable of the product. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  /** The value when it is not set: null where there is none. */
  readonly fallback: T;
  readonly readBy: readonly Program[];
  /** These programs do not start without it. */
  readonly requiredBy?: readonly Program[];
  /** For README.md. */
  readonly about: string;
  /** For README.md, where the fallback is not the whole truth. */
  readonly fallbackInWords?: string;
  /** May be read from the file that NAME_FILE names; has no default in compose files. */
  readonly isSecret?: true;
  /** The setting with the password of this address, where the address has none. */
  readonly passwordFrom?: 'DATABASE_PASSWORD' | 'REDIS_PASSWORD';
  /** Set by our own programs for one another: not for README.md. */
  readonly isInternal?: true;
}

type Description<T> = Omit<Setting<T>, 'kind' | 'fallback'>;

/** A setting that has a value where it is not given. */
export function withDefault<T>(kind: Kind<T>, fallback: NoInfer<T>, description: Description<T>): Setting<T> {
  return { kind, fallback, ...description };
}

/** A setting that may be missing. */
export function optional<T>(kind: Kind<T>, description: Description<T>): Setting<T | null> {
  return { kind, fallback: null, ...description };
}
