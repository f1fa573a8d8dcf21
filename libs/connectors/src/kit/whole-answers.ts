export interface GroupAnswer<T> {
  found: readonly T[];
  isWhole: boolean;
}

/**
 * Requests ids in groups. If the answer for a group is truncated, its halves are requested. @param tooMuch handles a
 * truncated answer for a single id
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

/** Waits for all promises, even when one fails, so that no work continues in the background. @throws the first error */
export async function onceAllAreOver<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return await Promise.all(all);
}

export function inGroups<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, group) =>
    all.slice(group * size, (group + 1) * size),
  );
}
