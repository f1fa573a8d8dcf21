import { composedName } from '@passerelle/domain';
import type { ArchiveFile, ArchiveFiles } from '../../contracts';
import { type ZipEntry, zipEntryBytes } from './zip-archive';

export const NO_FILES: ArchiveFiles = { isComplete: false, names: [], find: () => undefined };

/**
 * Finds entries by the names that feeds use: any letter case, other folders or none, percent-encoded. The best matching
 * folders decide. Two equal matches find nothing, because a photo of the wrong house is worse than no photo.
 */
export function archiveFiles(entries: readonly ZipEntry[], isComplete: boolean): ArchiveFiles {
  const byFileName = new Map<string, Candidate[]>();
  for (const entry of entries) {
    for (const name of new Set([entry.name, entry.otherName ?? entry.name])) {
      const path = pathOf(name);
      const candidates = byFileName.get(path.at(-1)!) ?? [];
      candidates.push({ path, entry });
      byFileName.set(path.at(-1)!, candidates);
    }
  }
  const findPath = (path: readonly string[], folder: readonly string[]): ArchiveFile | undefined => {
    const candidates = byFileName.get(path.at(-1) ?? '') ?? [];
    const best = bestOf(candidates, (candidate) => [
      agreement([...path].reverse(), [...candidate.path].reverse()),
      agreement(folder, candidate.path),
    ]);
    return best === undefined ? undefined : fileOf(best.entry);
  };
  return {
    isComplete,
    names: [...byFileName.keys()],
    find(name, folder) {
      const near = folder === '' ? [] : pathOf(folder);
      return findPath(pathOf(name), near) ?? findPath(pathOf(decoded(name)), near);
    },
  };
}

interface Candidate {
  path: readonly string[];
  entry: ZipEntry;
}

function bestOf(candidates: readonly Candidate[], rank: (candidate: Candidate) => number[]): Candidate | undefined {
  let best: { candidate: Candidate; ranks: number[]; isAlone: boolean } | undefined;
  for (const candidate of candidates) {
    const ranks = rank(candidate);
    const order = best === undefined ? 1 : compare(ranks, best.ranks);
    if (order > 0) best = { candidate, ranks, isAlone: true };
    else if (order === 0 && !isSame(candidate.entry, best!.candidate.entry)) best!.isAlone = false;
  }
  return best?.isAlone === true ? best.candidate : undefined;
}

function compare(ranks: readonly number[], others: readonly number[]): number {
  for (const [index, rank] of ranks.entries()) if (rank !== others[index]) return rank - others[index]!;
  return 0;
}

function isSame(entry: ZipEntry, other: ZipEntry): boolean {
  return entry.sizeBytes === other.sizeBytes && entry.crc32 === other.crc32;
}

/** How many segments at the start are the same. */
function agreement(path: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < path.length && path[count] === other[count]) count += 1;
  return count;
}

function pathOf(name: string): string[] {
  const slashed = name
    .trim()
    .replace(/^file:/i, '')
    .replaceAll('\\', '/');
  const plain = composedName(slashed).toLowerCase();
  return plain.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function fileOf(entry: ZipEntry): ArchiveFile {
  const { name, sizeBytes, crc32 } = entry;
  return { name, sizeBytes, crc32, open: () => zipEntryBytes(entry) };
}
