import type { JsonRecord } from '../../formats/json-records';
import { plainLine } from '../../kit/clean/plain-text';
import { inOneLine } from '../../kit/collections';
import { saysNothing } from '../../kit/clean/fold-word';
import { compilePath } from '../../kit/values';
import * as v from '../../kit/verbs';
import { splitWords } from './offer';

/** Labels of a client by field and key, such as `{zustand: {gepflegt: 'Gepflegt'}}`. */
export type Labels = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Keys that a client created have no readable meaning, such as `indMulti5961Select5961`. */
const OWN_KEY = /^ind[A-Z_]?\w*\d/;

/** If a key has no label of the client, the key itself is shown, unless the client created it. */
export function labelled(name: string): v.Verb<JsonRecord, string> {
  const path = `elements.${name}`;
  const valueAt = compilePath(path);
  return v.computed((record: JsonRecord, context) => {
    const labels = (context.feed['labels'] as Labels | undefined)?.[name] ?? {};
    const words = splitWords(valueAt(record)).flatMap((key) => {
      const label = plainLine(labels[key]);
      if (label !== undefined) return [label];
      if (OWN_KEY.test(key)) context.warn('unknown_word', path, key.slice(0, 120));
      return OWN_KEY.test(key) || saysNothing(key) ? [] : [key];
    });
    return inOneLine(words);
  }, path);
}
