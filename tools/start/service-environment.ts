import { type Program, type Setting, SETTINGS } from '@passerelle/settings';

const ALL: readonly (readonly [string, Setting<unknown>])[] = Object.entries(SETTINGS);
/** Secrets that are not settings: those of the media store, and those in the environment of `npm start`. */
const MEDIA_SECRETS = /^AWS_/;
const OTHER_SECRETS = /TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|API_?KEY|PRIVATE_KEY|^PGPASS/i;

/** Removes secrets that the program does not read, so that a compromised process reveals no others. */
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
