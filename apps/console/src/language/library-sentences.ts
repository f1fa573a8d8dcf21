import { FR_FAULTS } from './fr-faults';
import { FR_SENTENCES } from './fr-sentences';

/** What stands for what differs in a sentence. */
const SLOT = '{}';

/** Sentences of ours are shorter: nobody's words are looked through for long. */
const LONGEST = 1_000;

/** A share as the publish gate says it. */
const SHARE = /^(\d+)\.(\d+) %$/;

interface Pattern {
  matches: RegExp;
  french: string;
}

const PATTERNS: readonly Pattern[] = [...FR_SENTENCES, ...FR_FAULTS].map(([english, french]) => ({
  matches: new RegExp(`^${english.split(SLOT).map(escaped).join('(.+?)')}\\.?$`, 'is'),
  french,
}));

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/**
 * A sentence of the library in French, with what is said inside of it; of several sentences, each. Null for one that nobody has
 * translated.
 */
export function inFrench(text: string): string | null {
  if (text.length > LONGEST) return null;
  // What differs in a sentence may be anything: several sentences are told apart first.
  for (const [between, french] of [
    ['; ', ' ; '],
    ['. ', '. '],
  ] as const) {
    const parts = text.split(between);
    if (parts.length === 1) continue;
    const said = parts.map((part) => inFrench(part));
    if (said.every((part) => part !== null)) return said.join(french);
  }
  return matched(text);
}

function matched(text: string): string | null {
  for (const { matches, french } of PATTERNS) {
    const found = matches.exec(text);
    if (found === null) continue;
    const said = french.replace(/\{(\d)\}/g, (_slot, number: string) => {
      const part = found[Number(number)] ?? '';
      return inFrench(part) ?? part.replace(SHARE, '$1,$2 %');
    });
    return /^\p{Lu}/u.test(text) ? said.charAt(0).toUpperCase() + said.slice(1) : said;
  }
  return null;
}
