/** Parameters of signed URLs: a URL that has all of `when` loses those in `drop`. Names are in lower case. */
const SIGNATURES: readonly { when: readonly string[]; drop: readonly string[] }[] = [
  // Amazon CloudFront
  { when: ['signature', 'key-pair-id'], drop: ['signature', 'key-pair-id', 'expires', 'policy'] },
  // Amazon S3, version 2
  { when: ['signature', 'awsaccesskeyid'], drop: ['signature', 'awsaccesskeyid', 'expires', 'x-amz-security-token'] },
  // Google Cloud Storage, version 2
  { when: ['signature', 'googleaccessid'], drop: ['signature', 'googleaccessid', 'expires'] },
  // Azure
  { when: ['sig', 'se'], drop: 'sig se st sp sv sr spr sip si skoid sktid skt ske sks skv sdd srt ss'.split(' ') },
  // imgix
  { when: ['s', 'expires'], drop: ['s', 'expires'] },
  // Akamai and BunnyCDN
  ...['__token__', 'hdnea', 'hdnts', 'hdntl', '__gda__', 'bcdn_token'].map((name) => ({
    when: [name],
    drop: [name, 'expires', 'token_path'],
  })),
  ...['token', 'signature', 'sig', 'hmac', 'hash', 'sign', 'md5', 'verify'].flatMap((secret) =>
    ['expires', 'expire', 'expiry', 'exp', 'e', 'expires_on', 'expiration', 'validuntil', 'ttl'].map((end) => ({
      when: [secret, end],
      drop: [secret, end],
    })),
  ),
];
/** Amazon S3 version 4 and Google Cloud Storage version 4: every parameter with the prefix belongs to the signature. */
const SIGNED_PREFIX = /^x-(?:amz|goog)-/;
/** A JSON web token, as Supabase and others sign with: three parts, the first two of them JSON in base64. */
const WEB_TOKEN = /^eyJ[\w-]{1,500}\.(eyJ[\w-]{1,4000})\.[\w-]{1,2000}$/;

/** Some servers put a signature into the path of an address: `/token=exp=1700000000~hmac=…/1.jpg`. */
const SIGNED_SEGMENT = /\/token=[^/\s"<>\\]*(?=\/)/gi;

/** A photo's URL without a recognizable signature. A plain query stays: feeds use it to say that a photo changed. */
export function unsignedUrl(address: string): string {
  const url = address.includes('=') ? address.replace(SIGNED_SEGMENT, '') : address;
  const queryAt = url.indexOf('?');
  if (queryAt === -1) return url;
  const query = url.slice(queryAt + 1);
  const kept = unsignedQuery(query);
  if (kept === query) return url;
  return kept === '' ? url.slice(0, queryAt) : `${url.slice(0, queryAt)}?${kept}`;
}

/** A query without the parameters of its signature, in their order. */
function unsignedQuery(query: string): string {
  const parameters = query.split('&');
  const names = parameters.map((parameter) => nameOf(parameter));
  const volatile = new Set<string>();
  if (names.includes('x-amz-signature') || names.includes('x-goog-signature')) {
    for (const name of names) if (SIGNED_PREFIX.test(name)) volatile.add(name);
  }
  for (const { when, drop } of SIGNATURES) {
    if (when.every((name) => names.includes(name))) for (const name of drop) volatile.add(name);
  }
  for (const [index, parameter] of parameters.entries()) {
    if (WEB_TOKEN.test(valueOf(parameter))) volatile.add(names[index]!);
  }
  if (volatile.size === 0) return query;
  return parameters.filter((_, index) => !volatile.has(names[index] ?? '')).join('&');
}

function nameOf(parameter: string): string {
  return (parameter.split('=', 1)[0] ?? '').toLowerCase();
}

function valueOf(parameter: string): string {
  return parameter.slice(parameter.indexOf('=') + 1);
}

/** Ends an address in the text of a listing, which is JSON. */
const AFTER_QUERY = /[\s"'<>\\]/g;

/** A listing's text without the signatures of its addresses. */
export interface UnsignedText {
  text: string;
  /** When each signed address ends, in the text's order, in milliseconds; undefined when it does not say so. */
  ends: (number | undefined)[];
}

/** Reads each character once, so its time is linear. */
export function unsignedText(listing: string): UnsignedText {
  const parts: string[] = [];
  const ends: (number | undefined)[] = [];
  const text = listing.replace(SIGNED_SEGMENT, (segment) => {
    ends.push(signatureEnd(segment.slice(1)));
    return '';
  });
  let keptTo = 0;
  for (let at = text.indexOf('?'); at !== -1; at = text.indexOf('?', at)) {
    AFTER_QUERY.lastIndex = at;
    const endAt = AFTER_QUERY.exec(text)?.index ?? text.length;
    const query = text.slice(at + 1, endAt).replaceAll('&amp;', '&');
    const kept = query.includes('=') ? unsignedQuery(query) : query;
    if (kept !== query) {
      parts.push(text.slice(keptTo, at), kept === '' ? '' : `?${kept}`);
      ends.push(signatureEnd(query));
      keptTo = endAt;
    }
    at = Math.max(endAt, at + 1);
  }
  if (ends.length === 0) return { text, ends };
  parts.push(text.slice(keptTo));
  return { text: parts.join(''), ends };
}

const END_NAMES = ['expires', 'expire', 'expiry', 'exp', 'e', 'expires_on', 'expiration', 'validuntil', 'se'];
/** `exp=1700000000` inside a token, as Akamai's tokens have it. */
const END_IN_TOKEN = /(?:^|[~*_])exp=(\d{9,13})(?:~|$)/i;

/** When a signed address stops working, in milliseconds, as far as its query says so. */
function signatureEnd(query: string): number | undefined {
  const values = new Map(query.split('&').map((parameter) => [nameOf(parameter), decoded(valueOf(parameter))]));
  for (const vendor of ['x-amz', 'x-goog']) {
    const from = toTime(values.get(`${vendor}-date`));
    const seconds = Number(values.get(`${vendor}-expires`));
    if (from !== undefined && seconds > 0) return from + seconds * 1000;
  }
  for (const name of END_NAMES) {
    const end = toTime(values.get(name));
    if (end !== undefined) return end;
  }
  for (const value of values.values()) {
    const end = toTime(END_IN_TOKEN.exec(value)?.[1]) ?? endOfWebToken(value);
    if (end !== undefined) return end;
  }
  return undefined;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function endOfWebToken(value: string): number | undefined {
  const payload = WEB_TOKEN.exec(value)?.[1];
  if (payload === undefined) return undefined;
  const seconds = /"exp":(\d{9,13})\b/.exec(Buffer.from(payload, 'base64url').toString())?.[1];
  return toTime(seconds);
}

const COMPACT_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** Seconds or milliseconds since 1970, or an ISO date. A small number is a duration, so it says no time. */
function toTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{9,10}$/.test(value)) return Number(value) * 1000;
  if (/^\d{13}$/.test(value)) return Number(value);
  if (!/^\d{4}-?\d\d-?\d\d/.test(value)) return undefined;
  const time = Date.parse(value.replace(COMPACT_DATE, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isFinite(time) ? time : undefined;
}
