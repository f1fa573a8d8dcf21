/** A beginning or an end that at least half of the identifiers share. */
export interface CommonAffix {
  where: 'begins' | 'ends';
  part: string;
  count: number;
}

/** Shorter lists are quicker to read than to summarize. */
const LEAST = 4;

/** Finds a shared part, which shows the cause when the listings belong to one branch or were renumbered. */
export function commonAffixes(ids: readonly string[]): CommonAffix[] {
  if (ids.length < LEAST) return [];
  const begin = longestOfHalf(ids);
  const end = longestOfHalf(ids.map(reversed));
  return [
    ...(begin === null ? [] : [{ where: 'begins' as const, ...begin }]),
    ...(end === null ? [] : [{ where: 'ends' as const, part: reversed(end.part), count: end.count }]),
  ];
}

/** Adds one character at a time, as long as half of all identifiers share the result. */
function longestOfHalf(ids: readonly string[]): { part: string; count: number } | null {
  let part = '';
  let having = ids;
  for (;;) {
    const counts = new Map<string, number>();
    for (const id of having) {
      const next = id.charAt(part.length);
      if (next !== '') counts.set(next, (counts.get(next) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    if (most === undefined || most[1] * 2 < ids.length) return part === '' ? null : { part, count: having.length };
    part += most[0];
    having = having.filter((id) => id.startsWith(part));
  }
}

function reversed(text: string): string {
  return Array.from(text).reverse().join('');
}
