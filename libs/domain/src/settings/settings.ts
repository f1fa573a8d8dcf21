/** A setting that cannot be used; its message is one line that names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Reads environment variables into values. Every reader throws ConfigError for a value that cannot be used. */
export class Settings {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** Undefined when the variable is not set; an empty one is how compose files and shells say "not set". */
  text(name: string): string | undefined {
    const text = this.environment[name]?.trim();
    return text === '' ? undefined : text;
  }

  integer(name: string, range: { min: number; max: number }): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (value >= range.min && value <= range.max) return value;
    throw new ConfigError(`${name} must be an integer from ${range.min} to ${range.max}, not "${text}"`);
  }

  flag(name: string): boolean {
    const text = this.text(name);
    if (text === undefined || text === 'false' || text === '0') return false;
    if (text === 'true' || text === '1') return true;
    throw new ConfigError(`${name} must be true or false, not "${text}"`);
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = allowed.find((word) => word === text);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}"`);
  }

  /** The entries of a comma-separated list, without empty ones. */
  list(name: string): string[] {
    const entries = (this.text(name) ?? '').split(',').map((entry) => entry.trim());
    return entries.filter((entry) => entry !== '');
  }

  /** An address with one of these schemes. It may hold a password, so a bad one is not repeated. */
  address(name: string, schemes: readonly string[]): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))) return text;
    throw new ConfigError(`${name} must be an address that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
  }
}
