/** What one request found for a group of ids. */
export interface GroupAnswer<T> {
  found: readonly T[];
  /** Whether that is all there is for the group. */
  isWhole: boolean;
}

/**
 * Asks for what belongs to ids in groups, for sources that cut an answer without a second page, or whose pages shift: a group
 * whose answer is not whole is asked for again in halves.
 *
 * @param tooMuch what to do when the answer for one id alone is not whole.
 */
export async function wholeAnswersFor<T>(
  ids: readonly string[],
  idsPerRequest: number,
  ask: (group: readonly string[]) => Promise<GroupAnswer<T>>,
  tooMuch: (id: string, answer: GroupAnswer<T>) => Promise<readonly T[]>,
): Promise<T[]> {
  const all: T[] = [];
  const waiting: (readonly string[])[] = inGroups(ids, idsPerRequest);
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    const answer = await ask(group);
    const [only = ''] = group;
    if (answer.isWhole) all.push(...answer.found);
    else if (group.length === 1) all.push(...(await tooMuch(only, answer)));
    else {
      const half = Math.ceil(group.length / 2);
      waiting.unshift(group.slice(0, half), group.slice(half));
    }
  }
  return all;
}

/**
 * What all of these give, once the last of them is over: none goes on behind one that has failed.
 *
 * @throws what the first of them throws that fails
 */
export async function onceAllAreOver<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}

/** Cuts a list into groups of at most `size`, in order. */
export function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, group) =>
    all.slice(group * size, (group + 1) * size),
  );
}
