import type { RecordContext } from '../../kit/contracts';
import { foldWord } from '../../kit/clean/fold';
import { plainLine } from '../../kit/clean/plain-text';
import { textOf } from '../../kit/scalar';
import type { PolirisRow } from '../../formats/poliris-rows';

/** Rank 1 in one spelling: exports write the same agency with blanks around it, or in another case. */
export function agencyOf(row: PolirisRow): string | undefined {
  return plainLine(textOf(row[1]))?.toUpperCase();
}

/**
 * The technical identifier (rank 175) is unique within an agency and constant; without it the displayed reference
 * (rank 2) stands in. The agency comes first, as one file may hold several.
 */
export function affIdOf(row: PolirisRow): string | undefined {
  const agency = agencyOf(row);
  const own = plainLine(textOf(row[175])) ?? plainLine(textOf(row[2]));
  if (own === undefined) return undefined;
  return agency === undefined ? own : `${agency}-${own}`;
}

/** The agency's name, which the format does not hold: from the settings. */
export function agencyNameOf(row: PolirisRow, context: RecordContext): string | undefined {
  const agency = agencyOf(row);
  const named = context.settings['agence-noms'];
  if (named !== undefined && agency !== undefined) {
    const name = namesOf(named).get(foldWord(agency));
    if (name !== undefined) return name;
  }
  return plainLine(context.settings['agence-nom']);
}

let lastSetting = '';
let lastNames: ReadonlyMap<string, string> = new Map();

/** `DEMO0001=Agence Démo; DEMO0002=Agence du Port`, read once for all records of a run. */
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
