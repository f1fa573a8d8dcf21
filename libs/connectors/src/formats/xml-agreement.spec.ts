import { BadFeed } from '@passerelle/domain';
import { XMLParser } from 'fast-xml-parser';

import { type Choices, choicesOf } from '../../../../test/support/connectors/choices';
import type { FeedDocument } from '../kit/contracts';
import { feedDocument } from '../../../../test/support/connectors/feed-document';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { randomDocument } from '../../../../test/support/connectors/random-xml';
import { xmlRecords } from './xml-records';

/** A node of a general parser that keeps all content in order. */
type Node = Readonly<Record<string, unknown>>;

const SEEDS = Array.from({ length: 8 }, (_, block) => block * 100 + 1);
const DOCUMENTS_PER_SEED = 15;

const format = xmlRecords({ root: 'root', record: 'property', context: ['agent'], raw: (record) => record });
const general = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
});

describe('records cut out and parsed one by one', () => {
  it.each(SEEDS)('agree with a general parser of the whole document, from seed %i', async (seed) => {
    for (let at = 0; at < DOCUMENTS_PER_SEED; at += 1) {
      const document = randomDocument(choicesOf(seed + at));
      const expected = elementsOf(general.parse(document) as Node[]);
      expect({ document, found: await cutAndParse(document, choicesOf(seed + at)) }).toEqual({
        document,
        found: expected,
      });
    }
  });

  it.each(SEEDS)('are never accepted as complete when the document is cut, from seed %i', async (seed) => {
    for (let at = 0; at < DOCUMENTS_PER_SEED; at += 1) {
      const choices = choicesOf(seed + at);
      const bytes = Buffer.from(randomDocument(choices));
      const whole = await cutAndParse(bytes, choices);
      const end = choices.integer(0, bytes.lastIndexOf('</root>') + '</root'.length);
      const found = await cutAndParse(bytes.subarray(0, end), choices).catch((error: unknown) => [error]);
      const last = found.pop();
      if (!(last instanceof BadFeed)) expect(last).toMatchObject({ kind: 'incomplete' });
      expect(found).toEqual(whole.slice(0, found.length));
    }
  });
});

async function cutAndParse(document: string | Buffer, choices: Choices): Promise<unknown[]> {
  const found: unknown[] = [];
  const { context } = recordingContext('demo');
  for await (const slice of format.slice(inOddChunks(Buffer.from(document as string), choices))) {
    // Elements that the format does not read are ordinary elements for the general parser.
    if (slice.kind === 'unknown') continue;
    if (slice.kind === 'record') found.push(['property', format.parse(slice.bytes, context)]);
    else if (slice.kind === 'context' && slice.name === 'agent') {
      found.push([slice.name, format.parseContext?.(slice.name, slice.bytes, {})]);
    } else if (slice.kind !== 'context') found.push(slice);
  }
  return found;
}

function inOddChunks(bytes: Buffer, { integer, pick }: Choices): FeedDocument {
  const longest = pick([1, 2, 5, 40, 1_000]);
  return feedDocument(bytes, () => integer(1, longest));
}

/** The outermost records and context elements, in the document's order. */
function elementsOf(nodes: readonly Node[]): unknown[] {
  return nodes.flatMap((node) => {
    const name = nameOf(node);
    if (name.startsWith('#') || name.startsWith('?')) return [];
    if (localName(name) !== 'property' && localName(name) !== 'agent') return elementsOf(childrenOf(node));
    const value = valueOf(node);
    return [[localName(name), typeof value === 'string' ? (value === '' ? {} : { '#text': value }) : value]];
  });
}

/** The value that `parseXmlElement` must return for this element. */
function valueOf(node: Node): unknown {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries((node[':@'] ?? {}) as Record<string, string>)) {
    if (name !== '@xmlns' && !name.startsWith('@xmlns:')) members[`@${localName(name.slice(1))}`] = value.trim();
  }
  for (const child of childrenOf(node)) {
    const name = localName(nameOf(child));
    if (name.startsWith('#') || name.startsWith('?')) continue;
    const known = members[name];
    const value = valueOf(child);
    members[name] =
      known === undefined ? value : Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
  }
  const text = textOf(childrenOf(node));
  if (Object.keys(members).length === 0) return text;
  return text === '' ? members : { ...members, '#text': text };
}

/** Blanks at either end are layout, unless CDATA contains them. */
function textOf(children: readonly Node[]): string {
  const pieces = children.flatMap((child) => {
    const name = nameOf(child);
    if (name === '#text') return [{ text: String(child['#text']), isCdata: false }];
    if (name === '#cdata')
      return [
        {
          text: childrenOf(child)
            .map((document) => String(document['#text']))
            .join(''),
          isCdata: true,
        },
      ];
    return [];
  });
  const isLayout = (index: number): boolean => {
    const piece = pieces[index];
    return piece !== undefined && (piece.text === '' || (!piece.isCdata && piece.text.trim() === ''));
  };
  let [first, last] = [0, pieces.length - 1];
  while (first <= last && isLayout(first)) first += 1;
  while (last >= first && isLayout(last)) last -= 1;
  return pieces
    .slice(first, last + 1)
    .map(({ text, isCdata }, index, said) => {
      if (isCdata) return text;
      const started = index === 0 ? text.trimStart() : text;
      return index === said.length - 1 ? started.trimEnd() : started;
    })
    .join('');
}

function nameOf(node: Node): string {
  return Object.keys(node).find((key) => key !== ':@') ?? '';
}

function childrenOf(node: Node): readonly Node[] {
  const children = node[nameOf(node)];
  return Array.isArray(children) ? (children as Node[]) : [];
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
