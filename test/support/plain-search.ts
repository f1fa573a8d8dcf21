/** A listing as `/v1/properties` returns it. */
export type PlainListing = Readonly<Record<string, unknown>> & { affId: string };

/** Query parameters by name. */
export type SearchQuery = Readonly<Record<string, string>>;

const RANGES: Readonly<Record<string, string>> = {
  ...{ prix: 'prix', loyer: 'loyer', surface: 'surfaceHabitable', terrain: 'surfaceTerrain' },
  ...{ pieces: 'nbrePieces', chambres: 'nbreChambres' },
};
const LISTS = ['typeTransaction', 'typeCode', 'codePostal', 'pays', 'dpeClasse', 'loyerPeriode'];
const FLAGS = ['ascenseur', 'piscine', 'meuble', 'parking'];

/**
 * A simple search over the list itself, as a reference for the product's search. It uses no code of the product.
 * @param isSameWord whether two words are the same to a reader of the language; language null: the words belong to a
 * reference
 */
export function plainSearch(
  list: readonly PlainListing[],
  asked: SearchQuery,
  isSameWord: (one: string, other: string, language: string | null) => boolean,
): PlainListing[] {
  const found = list.filter(
    (listing) =>
      LISTS.every((name) => asked[name] === undefined || asked[name].split(',').includes(String(listing[name]))) &&
      (asked['ville'] === undefined || asked['ville'].split(',').map(bare).includes(bare(listing['ville']))) &&
      Object.entries(RANGES).every(([name, field]) => {
        const [min, max] = [asked[`${name}Min`], asked[`${name}Max`]];
        const value = listing[field];
        if (min === undefined && max === undefined) return true;
        return typeof value === 'number' && value >= Number(min ?? 0) && value <= Number(max ?? 1e15);
      }) &&
      FLAGS.every((name) => asked[name] === undefined || String(listing[name]) === asked[name]) &&
      isInAreas(listing, asked) &&
      (asked['q'] === undefined || hasWords(listing, asked['q'], isSameWord)),
  );
  return sorted(found, asked['sort'] ?? 'feed');
}

/** How often each value of a member occurs. */
export function plainFacet(found: readonly PlainListing[], name: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const listing of found) {
    if (listing[name] === undefined) continue;
    const value = name === 'ville' ? bare(listing[name]) : JSON.stringify(listing[name]).replaceAll('"', '');
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function bare(value: unknown): string {
  return String(value)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

function hasWords(listing: PlainListing, q: string, isSame: Parameters<typeof plainSearch>[2]): boolean {
  const texts: [string, string | null][] = [[textOf(listing['affNum']), null]];
  const language = textOf(listing['langue']) || 'fr';
  texts.push([`${textOf(listing['intitule'])} ${textOf(listing['commentaires'])}`, language]);
  const others = (listing['textes'] ?? {}) as Record<string, Record<string, string>>;
  for (const [other, members] of Object.entries(others)) texts.push([Object.values(members).join(' '), other]);
  const words = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words(q).every((wanted) => texts.some(([text, of]) => words(text).some((word) => isSame(word, wanted, of))));
}

function isInAreas({ latitude, longitude }: PlainListing, { bbox, around, polygon }: SearchQuery): boolean {
  if (bbox === undefined && around === undefined && polygon === undefined) return true;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return false;
  if (bbox !== undefined) {
    const [west = 0, south = 0, east = 0, north = 0] = bbox.split(',').map(Number);
    const isBetween = west > east ? longitude >= west || longitude <= east : longitude >= west && longitude <= east;
    if (!isBetween || latitude < south || latitude > north) return false;
  }
  if (around !== undefined) {
    const [lat = 0, lon = 0, km = 0] = around.split(',').map(Number);
    if (chordKm([latitude, longitude], [lat, lon]) > km) return false;
  }
  return polygon === undefined || isInPolygon([latitude, longitude], polygon);
}

/** The distance in km, calculated from the straight line through the Earth. */
function chordKm(one: readonly [number, number], other: readonly [number, number]): number {
  const [a = [], b = []] = [one, other].map(([lat, lon]) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  });
  const chord = Math.hypot(...a.map((value, at) => value - (b[at] ?? 0)));
  return 2 * 6371.0088 * Math.asin(Math.min(1, chord / 2));
}

/** Calculates in whole hundredths of a degree, which avoids rounding errors. */
function isInPolygon([lat, lon]: readonly [number, number], polygon: string): boolean {
  const whole = (degrees: number | string): bigint => BigInt(Math.round(Number(degrees) * 100));
  const corners = polygon.split(';').map((corner) => corner.split(',').map(whole) as [bigint, bigint]);
  const [y, x] = [whole(lat), whole(lon)];
  let crossings = 0;
  for (const [at, [y1, x1]] of corners.entries()) {
    const [y2, x2] = corners[(at + 1) % corners.length]!;
    const cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
    const isInRange = (value: bigint, one: bigint, other: bigint): boolean =>
      one < other ? value >= one && value <= other : value >= other && value <= one;
    if (cross === 0n && isInRange(y, y1, y2) && isInRange(x, x1, x2)) return true;
    // Count crossings of a ray to the east that starts slightly above the point.
    if (y1 <= y === y2 <= y) continue;
    const crossesAt = y2 > y1 ? cross : -cross;
    if (crossesAt > 0n) crossings += 1;
  }
  return crossings % 2 === 1;
}

function sorted(found: readonly PlainListing[], sort: string): PlainListing[] {
  if (sort === 'feed') return [...found];
  const name = sort.replace('-', '');
  const valueOf = (listing: PlainListing): number | undefined => {
    if (name === 'date') return Date.parse(String(listing['dateModification'] ?? listing['dateCreation'])) || undefined;
    return listing[name === 'surface' ? 'surfaceHabitable' : name] as number | undefined;
  };
  const withValue = found.filter((listing) => valueOf(listing) !== undefined);
  const without = found.filter((listing) => valueOf(listing) === undefined);
  const sign = sort.startsWith('-') ? -1 : 1;
  return [...withValue.toSorted((a, b) => sign * (valueOf(a)! - valueOf(b)!)), ...without];
}
