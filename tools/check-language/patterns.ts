import type { Passage } from './passages';

export interface Finding {
  line: number;
  pattern: string;
  sentence: string;
}

/** Sentence beginnings to report, except in questions and headings. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  'a clause as a subject': /^(?:what|who|whoever|whatever|whomever|whichever)\b(?!-|['’]s\b)/i,
  'a fragment in the genitive': /^Of (?!course\b|all\b)/,
};

const PHRASES: Readonly<Record<string, RegExp>> = {
  'no actor': /\b(?:nobody|somebody|anybody|everybody|whoever|whomever)\b/gi,
  'of which, of whom': /\bof\s+(?:which|whom)\b/gi,
  anew: /\banew\b/gi,
  'told of': /\b(?:is|are|be|been|being|was|were)\s+(?:not\s+|never\s+)?told\b|\b(?:tells?|told|hears?)\s+of\b/gi,
  'passive of a wait': /\b(?:is|are|be|been|being|was|were)\s+(?:\w+\s+)?(?:waited|asked|looked)\s+(?:for|at)\b/gi,
  'in the place of': /\bin\s+the\s+place\s+of\b|\bin\s+\w+\s+stead\b/gi,
  'by turns': /\bby\s+turns\b/gi,
  'for good': /\bfor\s+good\b/gi,
  'at once': /\bat\s+once\b/gi,
  'but for': /\bbut\s+for\b/gi,
  'the … before': /\bthe\s+(?!day|night|week|month|year|moment|hour|minute|second)\w+\s+before(?=[.,;:)]|\s*$)/gi,
  'stands in, stands for': /\bstands\b|\b(?:stand|stood|standing)\s+(?:in|for)\b/gi,
  "one's own": /\bone['’]s\s+own\b/gi,
};

const SENTENCE = /(?:[^.!?]|[.!?](?!["')\]*_]*(?:\s|$)))+[.!?]*["')\]*_]*/g;
/** Marks of lists, tables and quotations before the first word. */
const LEAD = /^(?:[\s>*_(|"'#=-]|\d+\.\s|\[[ x]\]\s)+/;

export function findingsIn({ kind, line, text }: Passage): Finding[] {
  // Code in a sentence counts as one word, and so does the target of a link.
  const masked = text.replace(/`[^`]*`|(?<=\]\()[^()\s]*/g, (code) => 'x'.repeat(code.length));
  const found: Finding[] = [];
  for (const { 0: sentence, index } of masked.matchAll(SENTENCE)) {
    const lead = LEAD.exec(sentence)?.[0].length ?? 0;
    const matched = Object.entries(kind === 'heading' || sentence.trimEnd().endsWith('?') ? {} : BEGINNINGS)
      .filter(([, pattern]) => pattern.test(sentence.slice(lead)))
      .map(([pattern]) => ({ pattern, at: lead }));
    for (const [pattern, expression] of Object.entries(PHRASES)) {
      matched.push(...[...sentence.matchAll(expression)].map((match) => ({ pattern, at: match.index })));
    }
    for (const { pattern, at } of matched) {
      const whole = text.slice(index, index + sentence.length).replace(/\s+/g, ' ');
      found.push({ line: line + text.slice(0, index + at).split('\n').length - 1, pattern, sentence: whole.trim() });
    }
  }
  return found;
}

const LONGEST_TITLE = 72;

export function findingsInTitle(title: string): Finding[] {
  const text = title.replace(/^[a-z]+(?:\([^)]*\))?!?:\s*/, '');
  const found = findingsIn({ kind: 'title', line: 0, text, start: 0, end: 0 });
  if (title.length > LONGEST_TITLE)
    found.push({ line: 0, pattern: `over ${LONGEST_TITLE} characters`, sentence: title });
  return found;
}
