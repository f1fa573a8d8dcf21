import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { saysNothing } from '../../kit/clean/fold-word';
import { compilePath, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';

/** A select field with more values than yes and no. `neither` means unknown; unknown values give a warning. */
function saying(name: string, yes: RegExp, no: RegExp, neither = /^$/): v.Verb<JsonRecord, boolean> {
  const path = `elements.${name}`;
  const at = compilePath(path);
  return v.computed((record: JsonRecord, context: RecordContext) => {
    const word = textOf(at(record));
    if (word === undefined || neither.test(word)) return undefined;
    if (yes.test(word)) return true;
    if (no.test(word)) return false;
    if (!saysNothing(word)) context.warn('unknown_word', path, word.slice(0, 120));
    return undefined;
  }, path);
}

/** Partly furnished means neither yes nor no. */
export const isFurnished = saying(
  'moebliert',
  /^(?:voll|ja|1|true|moebliert)/i,
  /^(?:nein|0|kein|false|unmoebliert)/i,
  /^teil/i,
);

/** A goods lift does not count as a lift. */
export const hasLift = saying('fahrstuhl', /person|^(?:ja|1|true)$/i, /^(?:kein|nein|0|false)/i, /^lasten/i);

/** A cellar under a part of the house counts as a cellar. */
export const hasCellar = saying('unterkellert', /^(?:ja|teil|1|true)/i, /^(?:nein|kein|0|false)/i);
