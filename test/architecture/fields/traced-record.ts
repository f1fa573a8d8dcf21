/**
 * Wraps a record so that it reports each path that the mapping reads, with dots between members. A list adds no step to
 * the path, except if the record is a list itself (a CSV row): then its cells are named by their numbers. `.*` means
 * all members of an object.
 */
export function tracedRecord<T>(record: T, onRead: (path: string) => void): T {
  return traced(record, '', Array.isArray(record), onRead) as T;
}

function traced(value: unknown, path: string, isRow: boolean, onRead: (path: string) => void): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const at = (key: string): string => {
    if (Array.isArray(value) && !isRow) return path;
    return path === '' ? key : `${path}.${key}`;
  };
  return new Proxy(value, {
    get(target, key, receiver) {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || typeof member === 'function' || (Array.isArray(target) && key === 'length')) {
        return member;
      }
      if (typeof member !== 'object' || member === null) onRead(at(key));
      return traced(member, at(key), false, onRead);
    },
    ownKeys(target) {
      if (!Array.isArray(target)) onRead(path === '' ? '*' : `${path}.*`);
      return Reflect.ownKeys(target);
    },
  });
}
