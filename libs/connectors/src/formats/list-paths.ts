/** The elements that are always lists, by path from the parsed element: `images.image`. */
export interface ListPaths {
  readonly isList: boolean;
  readonly children: ReadonlyMap<string, ListPaths>;
}

export function listPaths(paths: readonly string[]): ListPaths {
  const root: MutableListPaths = { isList: false, children: new Map() };
  for (const path of paths) {
    let node = root;
    for (const name of path.split('.')) {
      const known = node.children.get(name) ?? { isList: false, children: new Map<string, MutableListPaths>() };
      node.children.set(name, known);
      node = known;
    }
    node.isList = true;
  }
  return root;
}

interface MutableListPaths {
  isList: boolean;
  children: Map<string, MutableListPaths>;
}
