import { FR_FAULTS } from './fr-faults';
import { FR_PORTALS } from './fr-portals';
import { FR_SENTENCES } from './fr-sentences';

/** The placeholder for a variable part of a sentence. */
const SLOT = '{}';

/** Our sentences are shorter; this limits the work for any other text. */
const LONGEST = 1_000;

const SHARE = /^(\d+)\.(\d+) %$/;

interface Pattern {
  matches: RegExp;
  french: string;
}

const PATTERNS: readonly Pattern[] = [...FR_SENTENCES, ...FR_FAULTS, ...FR_PORTALS].map(([english, french]) => ({
  matches: new RegExp(`^${english.split(SLOT).map(escaped).join('(.+?)')}\\.?$`, 'is'),
  french,
}));

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Translates nested sentences too, and several sentences one by one. Null without a translation. */
export function inFrench(text: string): string | null {
  if (text.length > LONGEST) return null;
  // A variable part may contain anything, so several sentences are separated first.
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
