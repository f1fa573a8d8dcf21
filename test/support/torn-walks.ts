import { seeded } from './seeded';

export interface ReadPage {
  status: number;
  /** The token of the page's snapshot; empty for an error. */
  token: string;
  affIds: string[];
}

export interface WalkFigures {
  whole: number;
  /** Sessions refused after page 1. The reader then starts again at page 1. */
  refused: number;
  /** Refused on page 1. */
  failed: number;
  /** Complete sessions whose pages come from several lists. */
  torn: ReadPage[][];
}

/**
 * Lets each reader run pagination sessions from page 1 to the last page, one after the other.
 * @param pages the number of pages of a list
 * @param read sends the request to one of the processes
 */
export async function walkLists({
  walks,
  readers,
  pages,
  read,
}: {
  walks: number;
  readers: readonly string[];
  pages: number;
  read: (page: number, reader: string) => Promise<ReadPage>;
}): Promise<WalkFigures> {
  const figures: WalkFigures = { whole: 0, refused: 0, failed: 0, torn: [] };
  const random = seeded(14);
  const walk = async (reader: string): Promise<void> => {
    const seen: ReadPage[] = [];
    for (let page = 1; page <= pages; page += 1) {
      const answer = await read(page, reader);
      if (answer.status !== 200) {
        figures[page === 1 ? 'failed' : 'refused'] += 1;
        return;
      }
      seen.push(answer);
      // Some readers stop in the middle, and start a new session later.
      if (random(20) === 0) return;
    }
    const isWhole = new Set(seen.map(({ token }) => token)).size === 1;
    if (isWhole) figures.whole += 1;
    else figures.torn.push(seen);
  };
  await Promise.all(
    readers.map(async (reader) => {
      for (let count = 0; count < walks / readers.length; count += 1) await walk(reader);
    }),
  );
  return figures;
}
