/** Whether an entry is the file of listings: `annonces.csv` in any folder, else the only other CSV of the archive. */
export function holdsAnnonces(entryName: string, entryNames: readonly string[] = []): boolean {
  if (!isCsv(entryName)) return false;
  if (isAnnonces(entryName)) return true;
  const candidates = entryNames.filter(isCsv);
  return candidates.length === 1 && !candidates.some(isAnnonces);
}

/** A test for a file by its name, in any folder. */
export function named(fileName: string): (entryName: string) => boolean {
  return (entryName) => !isJunk(entryName) && baseName(entryName) === fileName;
}

function isAnnonces(entryName: string): boolean {
  return baseName(entryName).endsWith('annonces.csv');
}

function isCsv(entryName: string): boolean {
  return entryName.toLowerCase().endsWith('.csv') && !isJunk(entryName);
}

/** What macOS adds to archives. */
function isJunk(entryName: string): boolean {
  return entryName.toLowerCase().startsWith('__macosx/') || baseName(entryName).startsWith('._');
}

function baseName(entryName: string): string {
  return entryName.toLowerCase().split('/').at(-1) ?? '';
}
