import type { Slice } from '../../kit/contracts';

interface DeclaredElements {
  groups?: readonly string[];
  recordParents?: readonly string[];
  beside?: readonly string[];
}

interface OpenElement {
  name: string;
  /** Whether it has a record as a child. */
  hasRecords: boolean;
  /** Whether it contains a record at any depth. */
  holdsRecords: boolean;
  hasElements: boolean;
  /** Children without records that the format does not declare, by name. */
  unknown: Map<string, number>;
}

const MOST_NAMES = 20;
const OTHERS = '…';
const MOST_NAME_LENGTH = 60;

/** Counts unknown elements beside records, and beside the elements around records, unless they contain records. */
export class RecordSiblings {
  /** Whether `next` has a slice to return. A property, because the scanner reads it at each tag. */
  hasFound = false;

  private readonly harmless: ReadonlySet<string>;
  private readonly parents: ReadonlySet<string>;
  private readonly stack: OpenElement[] = [];
  private readonly found: Slice[] = [];

  constructor({ groups = [], recordParents = [], beside = [] }: DeclaredElements) {
    this.parents = new Set([...groups, ...recordParents]);
    this.harmless = new Set([...this.parents, ...beside]);
  }

  next(): Slice | undefined {
    const next = this.found.shift();
    this.hasFound = this.found.length > 0;
    return next;
  }

  /** Notes the start of a frame element that is neither a record nor context. */
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

  /** Notes a declared child of the innermost element. */
  noteElement(): void {
    const parent = this.stack.at(-1);
    if (parent !== undefined) parent.hasElements = true;
  }

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

/** Counts an unknown element, unless it contains only text: then it describes the feed and is no record. */
function noteUnknown(unknown: Map<string, number>, { name, hasElements }: OpenElement): void {
  if (!hasElements) return;
  const short = name.slice(0, MOST_NAME_LENGTH);
  const key = unknown.has(short) || unknown.size < MOST_NAMES ? short : OTHERS;
  unknown.set(key, (unknown.get(key) ?? 0) + 1);
}
