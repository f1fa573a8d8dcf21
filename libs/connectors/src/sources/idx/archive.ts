/** Texts that lie beside the listings. */
const NOT_LISTINGS = /^(?:readme|lisez[-_ ]?moi|liesmich|licen[cs]e|changelog|log|config|version|info|photos?)\b/;

/**
 * Whether an entry of an archive is the file of listings: `unload.txt`, as the portals ask for, else what is called IDX,
 * else any text or CSV file; in any folder.
 */
export function holdsIdx(entryName: string, entryNames: readonly string[] = []): boolean {
  const rank = rankOf(entryName);
  return rank > 0 && entryNames.every((other) => rankOf(other) <= rank);
}

function rankOf(entryName: string): number {
  const path = entryName.toLowerCase();
  const name = path.split('/').at(-1) ?? '';
  if (path.startsWith('__macosx/') || name.startsWith('._')) return 0;
  if (name === 'unload.txt' || name === 'unload.csv') return 3;
  if (/\.idx$/.test(name) || /^idx[^/]*\.(?:txt|csv|dat)$/.test(name) || /^idx[\w-]*$/.test(name)) return 2;
  return /\.(?:txt|csv)$/.test(name) && !NOT_LISTINGS.test(name) ? 1 : 0;
}
