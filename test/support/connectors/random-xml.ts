import type { Choices } from './choices';

// Names that equal the record's name, or begin with it, are the hardest cases for the code that cuts a feed into
// records.
const NAMES = ['property', 'properties', 'propert', 'list', 'a', 'item', 'image', 'désc', 'x-y', 'x.y', '_z', 'agent'];
const PREFIXES = ['', '', '', '', 'n:', 'x:'];
const BLANKS = ['', '', ' ', '\n', '\r\n', '\n\t ', '\r', '  '];
const WORDS = [
  '01000',
  '1e5',
  '+336',
  'Évry',
  '日本',
  '😀',
  'true',
  'a > b',
  '"x"',
  "l'eau",
  '/',
  '=',
  '&',
  '-->',
  '?>',
];
const ENTITIES = [
  '&amp;',
  '&lt;',
  '&gt;',
  '&quot;',
  '&apos;',
  '&#233;',
  '&#xE9;',
  '&amp;lt;',
  '&amp;#233;',
  '&#x1F600;',
];
const IN_MARKUP = [
  '',
  ' ',
  'x',
  '<property>',
  '</property>',
  '<a href="x',
  "l'eau",
  '&amp;',
  '>',
  ']]',
  '-',
  '\n',
  'é😀',
];

/**
 * A well-formed document `<root>` with `<property>` records and `<agent>` blocks, which uses all unusual syntax that
 * XML allows.
 */
export function randomDocument(choices: Choices): string {
  const { integer, chance } = choices;
  let text = chance(0.5) ? '<?xml version="1.0" encoding="UTF-8"?>' : '';
  text += filling(choices);
  if (chance(0.2)) text += `<!DOCTYPE root>${blank(choices)}`;
  text += `<root${attributes(choices)}>`;
  for (let parts = integer(0, 8); parts > 0; parts -= 1) {
    text += filling(choices);
    if (chance(0.7)) text += element(choices, 'property', 4);
    else if (chance(0.3)) text += element(choices, 'agent', 2);
    else text += element(choices, choices.pick(NAMES), 3);
  }
  return `${text}${filling(choices)}</root>${filling(choices)}`;
}

function element(choices: Choices, name: string, depth: number): string {
  const { integer, chance, pick } = choices;
  const tag = pick(PREFIXES) + name;
  const open = `<${tag}${attributes(choices)}${chance(0.2) ? blank(choices) : ''}`;
  if (chance(0.12)) return `${open}/>`;
  let content = '';
  if (depth > 0 && chance(0.55)) {
    content += filling(choices);
    for (let children = integer(1, 5); children > 0; children -= 1) {
      content += element(choices, pick(NAMES), depth - 1) + (chance(0.15) ? text(choices) : filling(choices));
    }
  } else content = text(choices);
  return `${open}>${content}</${tag}${chance(0.1) ? blank(choices) : ''}>`;
}

function attributes(choices: Choices): string {
  let written = '';
  if (choices.chance(0.05)) written += ' xmlns:n="urn:n" xmlns="urn:d"';
  for (const name of ['id', 'n:lang', 'data-x']) {
    if (!choices.chance(0.2)) continue;
    const quote = choices.pick(['"', "'"]);
    const value = piece(choices).replaceAll(quote, '').replaceAll('\n', ' ').replaceAll('\r', ' ');
    written += `${choices.pick([' ', '\n', '  '])}${name}${choices.pick(['=', ' = '])}${quote}${value}${quote}`;
  }
  return written;
}

/** Text, CDATA, comments and instructions in any order. */
function text(choices: Choices): string {
  let written = '';
  for (let pieces = choices.integer(0, 4); pieces > 0; pieces -= 1) {
    if (choices.chance(0.65)) written += piece(choices);
    else if (choices.chance(0.6)) written += `<![CDATA[${inMarkup(choices).replaceAll(']]>', '')}]]>`;
    else written += remark(choices);
  }
  return written;
}

function piece(choices: Choices): string {
  return blank(choices) + choices.pick(choices.chance(0.3) ? ENTITIES : WORDS) + blank(choices);
}

/** Blanks, comments and instructions, which may be anywhere. */
function filling(choices: Choices): string {
  return blank(choices) + (choices.chance(0.2) ? remark(choices) : '') + blank(choices);
}

function remark(choices: Choices): string {
  if (choices.chance(0.6)) return `<!--${inMarkup(choices).replaceAll('-', '')}-->`;
  return `<?pi ${inMarkup(choices).replaceAll(/["'?]/g, '')} ?>`;
}

function inMarkup(choices: Choices): string {
  let written = '';
  for (let pieces = choices.integer(0, 4); pieces > 0; pieces -= 1) written += choices.pick(IN_MARKUP);
  return written;
}

function blank(choices: Choices): string {
  return choices.pick(BLANKS);
}
