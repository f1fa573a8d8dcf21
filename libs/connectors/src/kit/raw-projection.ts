import type { RecordContext } from './contracts';

/**
 * The parts of a record that leave the gateway in `format=raw`. Dots separate the steps of a path; a list is not a
 * step.
 */
export interface RawRules {
  /** Values that may leave: `price.value` for that value only, `price.@*` for the text of `price` and all its attributes. */
  public: readonly string[];
  /** Values that stay private, by path, each with its reason. Values below them stay private too. */
  private: Readonly<Record<string, string>>;
}

interface Node {
  readonly path: string;
  isPublic: boolean;
  hasPublicAttributes: boolean;
  isPrivate: boolean;
  readonly children: Map<string, Node>;
}

/**
 * Leaves out unknown fields with a warning. A path may not end in `.*`, which would publish fields that no author
 * reviewed.
 * @throws Error when a path is both public and private, or ends in `.*`.
 */
export function rawProjection(rules: RawRules): (record: unknown, context: RecordContext) => Record<string, unknown> {
  const root = newNode('');
  for (const path of rules.public) {
    if (path.endsWith('.*')) throw new Error(`"${path}" does not name the public members: list each of them`);
    const hasPublicAttributes = path.endsWith('.@*');
    const node = grow(root, hasPublicAttributes ? path.slice(0, -'.@*'.length) : path);
    node.isPublic = true;
    node.hasPublicAttributes ||= hasPublicAttributes;
  }
  for (const path of Object.keys(rules.private)) {
    const node = grow(root, path);
    if (node.isPublic || node.children.size > 0) throw new Error(`"${path}" is both public and private`);
    node.isPrivate = true;
  }
  return (record, context) => projectObject(record as Readonly<Record<string, unknown>>, root, context);
}

/** An allow-list that publishes some values only when a record allows its address to be shown. */
export interface AddressRules extends RawRules {
  /**
   * The address, the point, and all other values that reveal the exact location: parcels, maps, the number of a flat.
   */
  address: readonly string[];
  hiddenBecause: string;
}

/** Compiles the rules. `showsAddress` must be the same decision as for the listing's address and position. */
export function addressProjection(
  rules: AddressRules,
): (record: unknown, context: RecordContext, showsAddress: boolean) => Record<string, unknown> {
  const { public: shown, private: hidden, address, hiddenBecause } = rules;
  const withAddress = rawProjection({ public: [...shown, ...address], private: hidden });
  const withoutAddress = rawProjection({
    public: shown,
    private: { ...hidden, ...Object.fromEntries(address.map((path) => [path.replace(/\.@\*$/, ''), hiddenBecause])) },
  });
  return (record, context, showsAddress) => (showsAddress ? withAddress : withoutAddress)(record, context);
}

function newNode(path: string): Node {
  return { path, isPublic: false, hasPublicAttributes: false, isPrivate: false, children: new Map() };
}

function grow(root: Node, path: string): Node {
  let node = root;
  for (const key of path.split('.')) {
    let next = node.children.get(key);
    if (next === undefined) {
      next = newNode(node.path === '' ? key : `${node.path}.${key}`);
      node.children.set(key, next);
    }
    node = next;
  }
  return node;
}

const LEFT_OUT = Symbol('left out');

function projectObject(
  record: Readonly<Record<string, unknown>>,
  node: Node,
  context: RecordContext,
): Record<string, unknown> {
  const projected: Record<string, unknown> = {};
  for (const key of Object.keys(record)) {
    const next = node.children.get(key);
    if (next === undefined) {
      if (key === '#text' && node.isPublic) projected[key] = record[key];
      else if (key.startsWith('@') && node.hasPublicAttributes) projected[key] = record[key];
      else if (!isEmpty(record[key]))
        context.warn('unmapped_field', node.path === '' ? key : `${node.path}.${key}`, '');
      continue;
    }
    if (next.isPrivate) continue;
    const value = project(record[key], next, context);
    if (value !== LEFT_OUT) projected[key] = value;
  }
  return projected;
}

function project(value: unknown, node: Node, context: RecordContext): unknown {
  if (Array.isArray(value)) {
    const kept: unknown[] = [];
    for (const element of value) {
      const projected = project(element, node, context);
      if (projected !== LEFT_OUT) kept.push(projected);
    }
    return kept.length === 0 && value.length > 0 ? LEFT_OUT : kept;
  }
  if (typeof value === 'object' && value !== null) {
    const projected = projectObject(value as Readonly<Record<string, unknown>>, node, context);
    return Object.keys(projected).length === 0 && Object.keys(value).length > 0 ? LEFT_OUT : projected;
  }
  // A plain value instead of a structure: kept if it is public or empty, otherwise left out with a warning.
  if (node.isPublic || isEmpty(value)) return value;
  context.warn('unmapped_field', node.path, '');
  return LEFT_OUT;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
