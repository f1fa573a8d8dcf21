import { isIP } from 'node:net';
import { isUrl, trimEndOf } from '@passerelle/domain';

/** An invalid setting; the message is one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the text of a setting. Throws ConfigError when it cannot be used. */
export type Kind<T> = (text: string, name: string) => T;

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const anyText: Kind<string> = (text) => text;

export function integer(min: number, max: number): Kind<number> {
  return (text, name) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
  };
}

export const flag: Kind<boolean> = (text, name) => {
  if (text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw new ConfigError(`${name} must be true or false, not "${text}"`);
};

export function oneOf<T extends string>(allowed: readonly T[]): Kind<T> {
  return (text, name) => {
    const value = allowed.find((word) => word === text);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}"`);
  };
}

/** The error does not contain an invalid address, because it may include a password. */
export function address(...schemes: readonly string[]): Kind<string> {
  return (text, name) => {
    if (isUrl(text) && schemes.includes(new URL(text).protocol.slice(0, -1))) return text;
    throw new ConfigError(`${name} must be an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
  };
}

/** An address with one host. Several hosts are not supported, because a failover must happen behind the address. */
export const databaseAddress: Kind<string> = (text, name) => {
  const url = address('postgres', 'postgresql')(text, name);
  if (!new URL(url).hostname.includes(',')) return url;
  throw new ConfigError(
    `${name} names several hosts: name one address that always leads to the primary, of HAProxy or of a managed service (docs/scaling.md)`,
  );
};

/** An address to which paths are appended; the trailing slash is removed. */
export const baseUrl: Kind<string> = (text, name) => {
  const url = isUrl(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError(`${name} must be an http or https address without query, not "${text}"`);
  }
  return trimEndOf(url.href, '/');
};

export const contact: Kind<string> = (text, name) => {
  const isMail = /^mailto:[^\s@]+@[^\s@]+$/.test(text);
  if (isMail || (/^https:\S+$/.test(text) && isUrl(text))) return text;
  throw new ConfigError(`${name} must be mailto:name@example.org or an https address`);
};

/** An e-mail address, optionally as `Name <address>`. */
export const mailbox: Kind<string> = (text, name) => {
  if (/^(?:[^<>@\r\n"]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)) return text;
  throw new ConfigError(`${name} must be an e-mail address, or a name with one in angle brackets`);
};

export function secretOf(minLength: number): Kind<string> {
  return (text, name) => {
    if (text.length >= minLength) return text;
    throw new ConfigError(`${name} must have at least ${minLength} characters`);
  };
}

/** A database password that needs no encoding in an address. */
export const databasePassword: Kind<string> = (text, name) => {
  if (/^[A-Za-z0-9._~-]{16,200}$/.test(text)) return text;
  throw new ConfigError(`${name} must have 16 to 200 characters: letters, digits, ".", "_", "~" and "-"`);
};

/** `read` returns null for an invalid entry; `what` describes a valid entry in the error. */
export function listOf(read: (entry: string) => string | null, what: string): Kind<string[]> {
  return (text, name) => {
    const entries = text.split(',').map((entry) => entry.trim());
    return entries
      .filter((entry) => entry !== '')
      .map((entry) => {
        const value = read(entry);
        if (value !== null) return value;
        throw new ConfigError(`${name} must be a comma-separated list of ${what}, not "${entry}"`);
      });
  };
}

export function hostAndPort(entry: string): string | null {
  return /^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/.test(entry) ? entry.toLowerCase() : null;
}

export function hostName(entry: string): string | null {
  return /^[a-z0-9_]([a-z0-9._-]{0,251}[a-z0-9_])?$/i.test(entry) ? entry.toLowerCase() : null;
}

/** The name of an HTTP header, in lower case. */
export const headerName: Kind<string> = (text, name) => {
  if (/^[a-z0-9-]{1,64}$/i.test(text)) return text.toLowerCase();
  throw new ConfigError(`${name} must be the name of a header, such as X-Remote-User, not "${text}"`);
};

export function addressOrRange(entry: string): string | null {
  const [address = '', bits, ...rest] = entry.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return null;
  if (bits === undefined) return entry;
  // Refuses prefix length 0, because with every address as a trusted proxy each client could claim any address.
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? entry : null;
}

/** Addresses and CIDR ranges; `true` for all, `false` for none. */
export const openTo: Kind<string[]> = (text, name) => {
  if (text === 'true') return ['0.0.0.0/0', '::/0'];
  if (text === 'false') return [];
  return listOf(addressOrRange, 'addresses or CIDR ranges (10.0.0.0/8), or true')(text, name);
};
