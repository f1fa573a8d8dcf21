// Common names of parameters that select a part of a list.
const HARMLESS_PARAMETERS: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'page',
  'per_page',
  'page_size',
  'pagesize',
  'size',
  'start',
  'count',
  'culture',
  'lang',
  'timestamp',
  '$top',
  '$skip',
  '$count',
  '$orderby',
  '$select',
  '$expand',
]);
// Common words in paths, which reveal nothing. Any other segment of a web address may be a secret.
const HARMLESS_SEGMENTS: ReadonlySet<string> = new Set(
  (
    'access accesstoken account accounts agence agences agencies agency annonce annonces apimo authorize biens catalog ' +
    'catalogue client clients connect current download downloads estate estates example export exporter exports feeds file ' +
    'files final fields flux galleries gallery gateway gateways image images immobilier import imports index inventory kyero ' +
    'latest listing listings login lookup media member metadata netty oauth oauth2 odata offer offers office openhouse ' +
    'openimmo other passerelle photo photos picture pictures poliris product products projects properties property ' +
    'provider providers public realestate redirected replication resource rest search server services site source start ' +
    'swissrets syndication token tokens ubiflow website websites whise'
  ).split(' '),
);
/** A text up to this length is easy to guess anyway, so it is not hidden. */
const SHORT = 4;
const EXTENSION = /\.(?:xml|csv|zip|json|txt|gz|blm|php|aspx?|do|html?)$/i;
const MASK = '***';

/** Hides credentials, fragment, uncommon path segments, query values except paging, and the texts in `secrets`. */
export function maskUrl(url: string, secrets: Iterable<string> = []): string {
  if (!isUrl(url)) return `${/^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0] ?? ''}${MASK}`;
  const parsed = new URL(url);
  const hidden = new Set([...secrets].filter((secret) => secret !== ''));
  const isWeb = /^https?:$/.test(parsed.protocol);
  const path = parsed.pathname
    .split('/')
    .map((segment) => {
      if (hidden.has(segment) || hidden.has(decoded(segment))) return MASK;
      return isWeb ? maskedSegment(segment) : segment;
    })
    .join('/');
  const query = [...parsed.searchParams]
    .map(
      ([name, value]) => `${name}=${HARMLESS_PARAMETERS.has(name.toLowerCase()) && !hidden.has(value) ? value : MASK}`,
    )
    .join('&');
  const user = parsed.username !== '' || parsed.password !== '' ? `${MASK}@` : '';
  // A file: URL without slashes is relative to the inbox, so show it unchanged.
  const start =
    url.startsWith('file:') && !url.startsWith('file:/') ? 'file:' : `${parsed.protocol}//${user}${parsed.host}`;
  return `${start}${start === 'file:' ? path.slice(1) : path}${query === '' ? '' : `?${query}`}`;
}

/** Hides a segment unless it is a common word, one of `words`, or very short. Accepts any text. */
export function maskPath(path: string, words: readonly string[] = []): string {
  return path
    .split('/')
    .map((segment) => (words.includes(segment) ? segment : maskedSegment(segment)))
    .join('/');
}

function maskedSegment(segment: string): string {
  const extension = EXTENSION.exec(segment)?.[0] ?? '';
  const name = segment.slice(0, segment.length - extension.length);
  return name.length <= SHORT || HARMLESS_SEGMENTS.has(name.toLowerCase()) ? segment : MASK + extension;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** `URL.canParse` of Node.js 20 has a bug: after many calls it rejects every address with an accent. */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
