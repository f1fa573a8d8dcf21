import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { type SettingName, SETTINGS, Settings } from '@passerelle/settings';
import { Refused, type SourcePolicy } from '@passerelle/operations';
import type { Environment } from './terminal';

/** The file that `npm start` has written. */
type RunningInstance = Pick<Instance, 'databaseUrl' | 'secretsKey'>;

export interface Instance {
  databaseUrl: string;
  /** Undefined when neither the environment nor a running `npm start` sets a key. */
  secretsKey: string | undefined;
  /** The previous key, while the key is being changed. */
  secretsKeyOld: string | null;
  /** The default period of gateways, in seconds. */
  everySeconds: number;
  ttlSeconds: number;
  user: string | null;
}

/**
 * `DATABASE_DIRECT_URL`, else `DATABASE_URL`, else the `npm start` that runs in `DATA_DIR`.
 * @throws Refused when none of them exists, ConfigError for an unusable setting.
 */
export async function locateInstance(env: Environment): Promise<Instance> {
  const settings = new Settings(env);
  const directory = settings.get('DATA_DIR');
  const running = await readRunning(directory);
  // A command may need a database session, which only a direct connection guarantees.
  const databaseUrl = settings.get('DATABASE_DIRECT_URL') ?? settings.get('DATABASE_URL') ?? running?.databaseUrl;
  if (databaseUrl === undefined) {
    throw new Refused(`nothing runs in ${directory}: start it with npm start, or set DATABASE_URL`);
  }
  // The key of another installation would seal secrets that no process of this database can open.
  const keyOfInstance = running?.databaseUrl === databaseUrl ? running.secretsKey : undefined;
  return {
    databaseUrl,
    secretsKey: settings.get('SECRETS_KEY') ?? keyOfInstance,
    secretsKeyOld: settings.get('SECRETS_KEY_OLD'),
    everySeconds: settings.get('REFRESH_EVERY_SECONDS'),
    ttlSeconds: settings.get('SNAPSHOT_TTL_SECONDS'),
    user: settings.get('OPS_USER'),
  };
}

/** Which sources the ingestors may read, from settings that ingestors and command line share. @throws ConfigError */
export function sourcePolicyOf(env: Environment): SourcePolicy {
  const settings = new Settings(env);
  return {
    inboxDir: settings.get('INBOX_DIR') ?? join(settings.get('DATA_DIR'), 'inbox'),
    allowPrivate: settings.get('ALLOW_PRIVATE_SOURCES'),
  };
}

export interface Surroundings {
  /** A streaming replica. */
  databaseReadUrl: string | null;
  /** The release of the compose file that started this process. */
  composeRelease: string | null;
  folders: string[];
}

/** @throws ConfigError */
export function surroundingsOf(env: Environment): Surroundings {
  const settings = new Settings(env);
  const own = (['INBOX_DIR', 'MEDIA_DIR', 'SPOOL_DIR'] as const).flatMap((name) => settings.get(name) ?? []);
  return {
    databaseReadUrl: settings.get('DATABASE_READ_URL'),
    composeRelease: settings.get('COMPOSE_RELEASE'),
    folders: [settings.get('DATA_DIR'), ...own, tmpdir()],
  };
}

/** Checks the settings of all programs, because every container gets all settings. */
export function badSettingsOf(env: Environment): string[] {
  const settings = new Settings(env);
  const problems = new Set<string>();
  for (const name of Object.keys(env).map((key) => key.replace(/_FILE$/, ''))) {
    if (!isSettingName(name)) continue;
    try {
      settings.get(name);
    } catch (error) {
      problems.add(error instanceof Error ? error.message : String(error));
    }
  }
  return [...problems];
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

async function readRunning(directory: string): Promise<RunningInstance | null> {
  let text: string;
  try {
    text = await readFile(join(directory, 'instance.json'), 'utf8');
  } catch {
    return null;
  }
  return parseInstanceFile(text);
}

/** Null when nothing runs or the file is unusable. Parses by hand, because a schema library loads slowly. */
function parseInstanceFile(text: string): RunningInstance | null {
  const written = parseJson(text);
  if (typeof written !== 'object' || written === null) return null;
  const pid = 'pid' in written ? written.pid : undefined;
  const databaseUrl = 'databaseUrl' in written ? written.databaseUrl : undefined;
  const secretsKey = 'secretsKey' in written ? written.secretsKey : undefined;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || !isAlive(pid)) return null;
  if (typeof databaseUrl !== 'string') return null;
  return { databaseUrl, secretsKey: typeof secretsKey === 'string' ? secretsKey : undefined };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means a live process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
