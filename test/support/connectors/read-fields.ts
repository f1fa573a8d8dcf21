import { type Connector, RecordError } from '../../../libs/connectors/src/kit/contracts';
import { feedDocument } from './feed-document';
import { surveyed } from './read-records';
import { type FeedSurroundings, recordingContext } from './recording-context';

/** The fields that the mapping reads although the raw record omits them as unknown, in the records of a feed. */
export async function readAndUnmapped<R>(
  connector: Connector<R>,
  bytes: Buffer,
  surroundings: FeedSurroundings = {},
): Promise<string[]> {
  const { format } = connector;
  const found = new Set<string>();
  const feed: Record<string, unknown> = { ...surroundings.feed, ...(await surveyed(connector, bytes)) };
  for await (const slice of format.slice(feedDocument(bytes))) {
    if (slice.kind === 'context')
      feed[slice.name] = slice.name.startsWith('#')
        ? slice.bytes.toString('latin1')
        : format.parseContext?.(slice.name, slice.bytes, feed);
    if (slice.kind !== 'record') continue;
    const { context, warnings } = recordingContext(connector.code, { ...surroundings, feed });
    const read = new Set<string>();
    const listed = new Set<string>();
    try {
      const record = format.parse(slice.bytes, context);
      format.toRaw(record, context);
      const unmapped = warnings.flatMap((warning) => /^unmapped_field (.+)$/.exec(warning)?.[1] ?? []);
      connector.map(observed(record, '', { read, listed }), context);
      for (const field of unmapped) if (read.has(field) && !listed.has(parentOf(field))) found.add(field);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
    }
  }
  return [...found];
}

/** The paths that a mapping reads by name, and those whose members it lists: a listed member is not used by its name. */
interface Notes {
  read: Set<string>;
  listed: Set<string>;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0));
}

/** The record, with a note of each member that is read. A list is not a step of a path. */
function observed<T>(value: T, path: string, notes: Notes, seen = new WeakMap<object, object>()): T {
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known as T;
  const proxy = new Proxy(value, {
    get(target, key, receiver): unknown {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol' || typeof member === 'function') return member;
      if (Array.isArray(target)) return observed(member, path, notes, seen);
      const own = path === '' ? key : `${path}.${key}`;
      notes.read.add(own);
      return observed(member, own, notes, seen);
    },
    ownKeys(target) {
      notes.listed.add(path);
      return Reflect.ownKeys(target);
    },
  });
  seen.set(value, proxy);
  return proxy;
}
