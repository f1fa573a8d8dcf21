import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SettingName, SETTINGS, type SettingValues } from './catalogue';
import { ConfigError, type LogLevel } from './kinds';
import type { Program, Setting } from './setting';

/** The release of this code. A test compares it with package.json. */
export const RELEASE = '1.0.0';

/** Distinguishes several processes of one program. */
const PROCESS = randomBytes(3).toString('hex');

/** Shows `ops doctor` and the console which programs run, and in which release. */
export function connectionName(program: 'api' | 'ingestor' | 'console' | 'ops'): string {
  return `passerelle-${program} ${RELEASE} ${PROCESS}`;
}

/** Reads environment variables into values. Every method throws ConfigError for an invalid value. */
export class Settings {
  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  get<Name extends SettingName>(name: Name): SettingValues[Name] {
    const { kind, fallback, isSecret, passwordFrom }: Setting<SettingValues[Name]> = SETTINGS[name];
    const text = isSecret === true ? this.secret(name) : this.text(name);
    if (text === undefined) return fallback;
    const value = kind(text, name);
    if (passwordFrom === undefined || typeof value !== 'string') return value;
    const password = this.get(passwordFrom);
    return password === null ? value : (withPassword(value, password, name, passwordFrom) as typeof value);
  }

  /** The value of a setting without a default. `why` completes the error with the program that needs the setting. */
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

  /** An empty variable counts as not set, because compose files and shells pass an empty value in that case. */
  private text(name: string): string | undefined {
    const text = this.environment[name]?.trim();
    return text === '' ? undefined : text;
  }
}

/** Removes the line break that editors append. An empty file is an error, not a missing value. */
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

/** Adds a password to an address, percent-encoded, so that the password may contain any character. */
function withPassword(address: string, password: string, name: string, from: string): string {
  const url = new URL(address);
  if (url.password !== '') throw new ConfigError(`${from} is set, and ${name} has a password too: keep one of them`);
  if (url.host === '') throw new ConfigError(`${from} needs a ${name} that names a host`);
  url.password = encodeURIComponent(password);
  return url.href;
}

export interface ShownSetting {
  name: string;
  /** Null for a secret, and for a setting that is not set and has no default. */
  value: string | null;
  isSecret: boolean;
  isSet: boolean;
  about: string;
}

/** The settings of one program, in the order of README.md. @throws ConfigError */
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

/** Without `sync`, pino would write the rest at exit, and retry forever if the pipe is closed. */
export const LOG_DESTINATION = { sync: true } as const;

const lastTime = { ms: NaN, text: '' };

/** The time in pino's format. Lines of one millisecond share it, because formatting a time is slower than a line. */
export function timeOfLine(): string {
  const ms = Date.now();
  if (ms !== lastTime.ms) {
    lastTime.ms = ms;
    lastTime.text = `,"time":"${new Date(ms).toISOString()}"`;
  }
  return lastTime.text;
}

/** pino's options for every program, so that all lines have the same form: `service`, and the time in ISO 8601. */
export function logOptions(service: 'api' | 'ingestor' | 'console', level: LogLevel) {
  return { level, base: { service }, timestamp: timeOfLine };
}
