import { type Program, type Setting, SETTINGS } from '@passerelle/settings';

const ALL: readonly (readonly [string, Setting<unknown>])[] = Object.entries(SETTINGS);
/** Secrets that are no settings: of the media store, and of what started us. */
const MEDIA_SECRETS = /^AWS_/;
const OTHER_SECRETS = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|PRIVATE_KEY|^PGPASS/i;

/**
 * The environment of one program: everything but the secrets that it does not read. A process that is taken over, or that
 * prints its environment, then gives away no more than it needs.
 *
 * @param program null for one that needs no secret at all
 */
export function environmentOf(program: Program | null, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => {
    const setting = ALL.find(([known]) => name === known || name === `${known}_FILE`)?.[1];
    if (setting !== undefined) {
      return setting.isSecret !== true || (program !== null && setting.readBy.includes(program));
    }
    if (MEDIA_SECRETS.test(name)) return program === 'API' || program === 'ingestor';
    return !OTHER_SECRETS.test(name);
  });
  return Object.fromEntries(kept);
}
