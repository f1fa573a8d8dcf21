import type { Slice } from '../../kit/contracts';

/** The elements that a format declares; names are local. */
interface DeclaredElements {
  groups?: readonly string[];
  recordParents?: readonly string[];
  beside?: readonly string[];
}

/** An element of the document's frame that is open. */
interface OpenElement {
  name: string;
  /** It has a record as a child. */
  hasRecords: boolean;
  /** There is a record somewhere in it. */
  holdsRecords: boolean;
  hasElements: boolean;
  /** Children without records that the format does not declare, by name. */
  unknown: Map<string, number>;
}

const MOST_NAMES = 20;
const OTHERS = '…';
const MOST_NAME_LENGTH = 60;

/**
 * Counts unknown elements beside records, and beside the elements around records. Elements that contain records are not
 * counted, and neither are the contents of elements without records.
 */
export class RecordSiblings {
  /** Whether `next` has something. A property, as the scanner asks at each tag. */
  hasFound = false;

  private readonly harmless: ReadonlySet<string>;
  private readonly parents: ReadonlySet<string>;
  private readonly stack: OpenElement[] = [];
  private readonly found: Slice[] = [];

  constructor({ groups = [], recordParents = [], beside = [] }: DeclaredElements) {
    this.parents = new Set([...groups, ...recordParents]);
    this.harmless = new Set([...this.parents, ...beside]);
  }

  /** The next count of elements with one name. */
  next(): Slice | undefined {
    const next = this.found.shift();
    this.hasFound = this.found.length > 0;
    return next;
  }

  /** An element of the frame begins that is neither a record nor context. */
  open(name: string): void {
    this.noteElement();
    this.stack.push({ name, hasRecords: false, holdsRecords: false, hasElements: false, unknown: new Map() });
  }

  noteRecord(): void {
    const parent = this.stack.at(-1);
    if (parent === undefined) return;
    parent.hasRecords = true;
    parent.holdsRecords = true;
    parent.hasElements = true;
  }

  /** There is a child that is declared. */
  noteElement(): void {
    const parent = this.stack.at(-1);
    if (parent !== undefined) parent.hasElements = true;
  }

  /** The innermost element ends. */
  close(): void {
    const element = this.stack.pop();
    if (element === undefined) return;
    const parent = this.stack.at(-1);
    if (parent === undefined || element.hasRecords || this.parents.has(element.name)) this.report(element);
    if (parent === undefined) return;
    if (element.holdsRecords) parent.holdsRecords = true;
    else if (!this.harmless.has(element.name)) noteUnknown(parent.unknown, element);
  }

  private report({ unknown }: OpenElement): void {
    for (const [name, count] of unknown) this.found.push({ kind: 'unknown', name, count });
    this.hasFound = this.found.length > 0;
  }
}

/** A name with a text says something of the feed, and is no record. */
function noteUnknown(unknown: Map<string, number>, { name, hasElements }: OpenElement): void {
  if (!hasElements) return;
  const short = name.slice(0, MOST_NAME_LENGTH);
  const key = unknown.has(short) || unknown.size < MOST_NAMES ? short : OTHERS;
  unknown.set(key, (unknown.get(key) ?? 0) + 1);
}
