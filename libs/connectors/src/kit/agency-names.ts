import { plainLine } from './clean/plain-text';
import { foldWord } from './clean/fold-word';

/**
 * The agency's name: from `agence-noms` by the feed's identifier ("DEMO1=Agence Démo; DEMO2=Agence du Port"), else from
 * `agence-nom`.
 */
export function agencyNameFor(
  agency: string | undefined,
  settings: Readonly<Record<string, string>>,
): string | undefined {
  const named = settings['agence-noms'];
  const name = named === undefined || agency === undefined ? undefined : namesOf(named).get(foldWord(agency));
  return name ?? plainLine(settings['agence-nom'] ?? '');
}

let lastSetting = '';
let lastNames: ReadonlyMap<string, string> = new Map();

/** Cached, because all records of a run have the same setting. */
function namesOf(setting: string): ReadonlyMap<string, string> {
  if (setting !== lastSetting) {
    lastNames = new Map(
      setting.split(/[;\n]/).flatMap((pair): [string, string][] => {
        const at = pair.indexOf('=');
        const name = plainLine(pair.slice(at + 1));
        return at > 0 && name !== undefined ? [[foldWord(pair.slice(0, at)), name]] : [];
      }),
    );
    lastSetting = setting;
  }
  return lastNames;
}
