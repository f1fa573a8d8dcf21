import type { RecordContext } from './contracts';
import type { Verb } from './verbs';

export interface Together<R, V extends object> {
  /** The verb for one field. */
  field<K extends keyof V>(key: K): Verb<R, NonNullable<V[K]>>;
  /** The verbs for some fields, by field name, for spreading into a mapping. */
  fields<K extends keyof V & string>(...keys: readonly [K, ...K[]]): { readonly [P in K]: Verb<R, NonNullable<V[P]>> };
}

/** For fields that depend on one another. The function runs once per record, however many fields read its answer. */
export function together<R, V extends object>(read: (record: R, context: RecordContext) => V): Together<R, V> {
  let lastRecord: R | undefined;
  let lastContext: RecordContext | undefined;
  let lastAnswer: V | undefined;
  const field = <K extends keyof V>(key: K): Verb<R, NonNullable<V[K]>> => ({
    verb: 'together',
    paths: [],
    read(record, context) {
      if (lastAnswer === undefined || record !== lastRecord || context !== lastContext) {
        // Cleared first: when the function throws, the next record must not get this record's answer.
        lastAnswer = undefined;
        lastAnswer = read(record, context);
        lastRecord = record;
        lastContext = context;
      }
      return lastAnswer[key] ?? undefined;
    },
  });
  return {
    field,
    fields: (...keys) =>
      Object.fromEntries(keys.map((key) => [key, field(key)])) as {
        [P in (typeof keys)[number]]: Verb<R, NonNullable<V[P]>>;
      },
  };
}

/** A verb that runs once per record, however many fields read its answer, so that each of its warnings counts once. */
export function once<R, T>(answer: Verb<R, T>): Verb<R, T> {
  const { read } = together<R, { value?: T }>((record, context) => {
    const value = answer.read(record, context);
    return value === undefined ? {} : { value };
  }).field('value');
  return { verb: answer.verb, paths: answer.paths, read: (record, context) => read(record, context) };
}
