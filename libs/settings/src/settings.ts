import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SettingName, SETTINGS, type SettingValues } from './catalogue';
import { ConfigError, type LogLevel } from './kinds';
import type { Program, Setting } from './setting';

/** The release that this code is of: package.json says the same, which a test holds it to. */
export const RELEASE = '0.1.0';

/** Tells this process from the others of its program. */
const PROCESS = randomBytes(3).toString('hex');

/** How the programs name their connections to PostgreSQL: `ops doctor` and the console read there what runs, and of which release. */
export function connectionName(program: 'api' | 'ingestor' | 'console' | 'ops'): string {
  return `passerelle-${program} ${RELEASE} ${PROCESS}`;
}

/** Reads environment variables into values. Every reader throws ConfigError for a value that cannot be used. */
export class Settings {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** The value, or the setting's default. */
  get<Name extends SettingName>(name: Name): SettingValues[Name] {
    const { kind, fallback, isSecret, passwordFrom }: Setting<SettingValues[Name]> = SETTINGS[name];
    const text = isSecret === true ? this.secret(name) : this.text(name);
    if (text === undefined) return fallback;
    const value = kind(text, name);
    if (passwordFrom === undefined || typeof value !== 'string') return value;
    const password = this.get(passwordFrom);
    return password === null ? value : (withPassword(value, password, name, passwordFrom) as typeof value);
  }

  /** The value of a setting that has no default. `why` says in the error who needs it. */
  require<Name extends SettingName>(name: Name, why: string): NonNullable<SettingValues[Name]> {
    const value = this.get(name);
    if (value !== null && value !== undefined) return value;
    throw new ConfigError(`${name} is missing: ${why}`);
  }

  private secret(name: string): string | undefined {
    const text = this.text(name);
    const path = this.text(`${name}_FILE`);
    if (path === undefined) return text;
    if (text === undefined) return textOfFile(`${name}_FILE`, path);
    throw new ConfigError(`${name} and ${name}_FILE are both set: keep one of them`);
  }

  /** Undefined when the variable is not set; an empty one is how compose files and shells say "not set". */
  private text(name: string): string | undefined {
    const text = this.environment[name]?.trim();
    return text === '' ? undefined : text;
  }
}

/** Without the line end that editors put behind it. An empty file is a mistake, not a way to say "not set". */
function textOfFile(name: string, path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError(`${name}: ${path} cannot be read (${code})`, { cause: error });
  }
  if (text === '') throw new ConfigError(`${name}: ${path} is empty`);
  return text;
}

/** Puts a password into an address. It is percent-encoded, so it may have any characters. */
function withPassword(address: string, password: string, name: string, from: string): string {
  const url = new URL(address);
  if (url.password !== '') throw new ConfigError(`${from} is set, and ${name} has a password too: keep one of them`);
  if (url.host === '') throw new ConfigError(`${from} needs a ${name} that names a host`);
  url.password = encodeURIComponent(password);
  return url.href;
}

/** A setting as far as it may be shown. */
export interface ShownSetting {
  name: string;
  /** Null for what is not set, has no default, or is secret. */
  value: string | null;
  isSecret: boolean;
  /** Whether the environment says it, or a file. */
  isSet: boolean;
  about: string;
}

/** What one program reads, in the order of README.md. @throws ConfigError */
export function shownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  program: Program,
): ShownSetting[] {
  const settings = new Settings(environment);
  return (Object.entries(SETTINGS) as [SettingName, Setting<SettingValues[SettingName]>][])
    .filter(([, { readBy, isInternal }]) => readBy.includes(program) && isInternal !== true)
    .map(([name, { isSecret = false, about }]) => {
      const value = settings.get(name);
      const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
      const isSet = [name, `${name}_FILE`].some((variable) => (environment[variable] ?? '').trim() !== '');
      return { name, value: isSecret || text === '' ? null : text, isSecret, isSet, about };
    });
}

const lastLine = { ms: NaN, time: '' };

/** The time of a line, as pino puts it into one. Lines of one millisecond share it: a date costs more than a line. */
export function timeOfLine(): string {
  const ms = Date.now();
  if (ms !== lastLine.ms) {
    lastLine.ms = ms;
    lastLine.time = `,"time":"${new Date(ms).toISOString()}"`;
  }
  return lastLine.time;
}

/**
 * pino writes each line to the standard output at once. Otherwise it would write what is left when the process ends, and try so
 * for ever where nobody reads the log any more.
 */
export const LOG_DESTINATION = { sync: true } as const;

/** The options that pino gets in each program, so that the lines of all are alike: `service`, and ISO 8601 time. */
export function logOptions(service: 'api' | 'ingestor' | 'console', level: LogLevel) {
  return { level, base: { service }, timestamp: timeOfLine };
}
