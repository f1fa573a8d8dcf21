import type { JsonRecord } from '../../formats/json-records';
import { inOneLine } from '../../kit/collections';
import { compilePath, listOf, textOf } from '../../kit/values';
import { computed, type Verb } from '../../kit/verbs';

/** A constant as words: `GOED_TOT_UITSTEKEND` is "goed tot uitstekend". Other texts stay unchanged. */
export function spoken(constant: string | undefined): string | undefined {
  if (constant === undefined || !/^[A-Z0-9]+(?:_[A-Z0-9]+)*$/.test(constant)) return constant;
  return constant.toLowerCase().replaceAll('_', ' ');
}

export function wordsAt(record: JsonRecord, path: string): string[] {
  return listOf(readerOf(path)(record)).flatMap((word) => textOf(word) ?? []);
}

/** A verb that joins the words at these paths on one line. Words such as `GEEN_GARAGE` (no garage) are omitted. */
export function spokenAt(...paths: readonly string[]): Verb<JsonRecord, string> {
  return computed(
    (record: JsonRecord) =>
      inOneLine(
        paths.flatMap((path) =>
          wordsAt(record, path)
            .filter((word) => !/^GEEN(?:_|$)/.test(word))
            .map(spoken),
        ),
      ),
    ...paths,
  );
}

export function saidAt(path: string, word: RegExp): Verb<JsonRecord, true> {
  return computed((record: JsonRecord) => wordsAt(record, path).some((one) => word.test(one)) || undefined, path);
}

const readers = new Map<string, (record: unknown) => unknown>();

/** Readers are cached by path, because the mapping always uses the same few paths. */
function readerOf(path: string): (record: unknown) => unknown {
  let reader = readers.get(path);
  if (reader === undefined) readers.set(path, (reader = compilePath(path)));
  return reader;
}

/** Lower-case words in Dutch town names, unless they come first. */
const SMALL = new Set(['aan', 'bij', 'de', 'den', 'der', 'en', 'het', 'in', 'op', 'over', 'te', 'ten', 'ter', 'van']);

/**
 * Converts a town name in capitals, such as `'S-HERTOGENBOSCH`, `BERGEN OP ZOOM` or `IJSSELSTEIN`, to its usual
 * spelling.
 */
export function townOf(written: string | undefined): string | undefined {
  if (written === undefined || written !== written.toUpperCase()) return written;
  const parts = written.toLowerCase().split(/([\s-]+)/);
  return parts.map((part, index) => (index > 0 && SMALL.has(part) ? part : capitalized(part))).join('');
}

function capitalized(word: string): string {
  // As in 's-Gravenhage and 't Harde.
  if (/^['’][a-z]$/.test(word)) return word;
  if (word.startsWith('ij')) return `IJ${word.slice(2)}`;
  return word.replace(/^['’(]?\p{L}/u, (letters) => letters.toUpperCase());
}
