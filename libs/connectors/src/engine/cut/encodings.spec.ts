import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Warning } from '@passerelle/domain';
import iconv from 'iconv-lite';
import type { Connector } from '../../kit/contracts';
import { openFeed } from '../read-feed';
import { decodeText } from './encoding';
import { type ConnectorRegistry, loadRegistry } from '../registry';

// Real: the connectors, their fixtures, the engine from the inbox on.

const SOURCES = join(__dirname, '..', '..', 'sources');

let inboxDir: string;
let registry: ConnectorRegistry;

beforeAll(async () => {
  registry = await loadRegistry();
  inboxDir = mkdtempSync(join(tmpdir(), 'encodings-spec-'));
});

afterAll(() => {
  rmSync(inboxDir, { recursive: true });
});

interface Encoding {
  name: string;
  /** The encoding in the XML declaration. */
  declared: string | undefined;
  encode: (text: string) => Buffer;
  /** The bytes contradict the declared encoding, so the engine warns. */
  warns?: true;
  /** The encoding can represent `€`, so the test text contains it. */
  hasEuro?: true;
}

const into =
  (charset: string) =>
  (text: string): Buffer =>
    iconv.encode(text, charset);
const marked =
  (charset: string) =>
  (text: string): Buffer =>
    iconv.encode(text, charset, { addBOM: true });

/** Encodings that the engine detects from the bytes alone, or that are declared correctly. */
const ENCODINGS: readonly Encoding[] = [
  { name: 'UTF-8 with a byte order mark', declared: 'UTF-8', encode: marked('utf-8'), hasEuro: true },
  { name: 'windows-1252', declared: 'windows-1252', encode: into('windows-1252'), hasEuro: true },
  { name: 'ISO-8859-1', declared: 'ISO-8859-1', encode: into('iso-8859-1') },
  { name: 'UTF-16 LE with a byte order mark', declared: 'UTF-16', encode: marked('utf-16le'), hasEuro: true },
  { name: 'UTF-16 BE with a byte order mark', declared: 'UTF-16', encode: marked('utf-16be'), hasEuro: true },
  { name: 'UTF-16 LE', declared: 'UTF-16', encode: into('utf-16le'), hasEuro: true },
  { name: 'UTF-16 BE', declared: 'UTF-16', encode: into('utf-16be'), hasEuro: true },
];

/** For XML, adds wrongly declared encodings and encodings that only the declaration identifies. */
const XML_ENCODINGS: readonly Encoding[] = [
  ...ENCODINGS,
  { name: 'ISO-8859-15', declared: 'ISO-8859-15', encode: into('iso-8859-15'), hasEuro: true },
  {
    name: 'windows-1252 that declares ISO-8859-1',
    declared: 'ISO-8859-1',
    encode: into('windows-1252'),
    hasEuro: true,
  },
  { name: 'ISO-8859-1 that declares UTF-8', declared: 'UTF-8', encode: into('iso-8859-1'), warns: true },
  {
    name: 'windows-1252 that declares UTF-8',
    declared: 'UTF-8',
    encode: into('windows-1252'),
    warns: true,
    hasEuro: true,
  },
  { name: 'windows-1252 that declares UTF-16', declared: 'UTF-16', encode: into('windows-1252'), warns: true },
  { name: 'windows-1252 that declares nothing', declared: undefined, encode: into('windows-1252'), warns: true },
  { name: 'UTF-8 that declares ISO-8859-1', declared: 'ISO-8859-1', encode: into('utf-8'), hasEuro: true },
  { name: 'UTF-8 that declares UTF-16', declared: 'UTF-16', encode: into('utf-8'), hasEuro: true },
  { name: 'UTF-8 that declares nothing', declared: undefined, encode: into('utf-8'), hasEuro: true },
  { name: 'UTF-16 LE that declares UTF-8', declared: 'UTF-8', encode: marked('utf-16le'), hasEuro: true },
];

describe.each([
  { crm: 'kyero', fixture: 'v2_1.xml', encodings: XML_ENCODINGS },
  { crm: 'ubiflow', fixture: 'annonces.xml', encodings: XML_ENCODINGS },
  { crm: 'poliris', fixture: 'annonces.csv', encodings: ENCODINGS },
  { crm: 'blm', fixture: 'v3.blm', encodings: ENCODINGS },
  { crm: 'idx', fixture: 'unload.txt', encodings: ENCODINGS },
])('a $crm feed', ({ crm, fixture, encodings }) => {
  it.each(encodings)(
    'yields the same listings when it is encoded in $name',
    async ({ declared, encode, warns, hasEuro }) => {
      const text = textOf(join(SOURCES, crm, '__fixtures__', fixture), hasEuro === true ? '€é' : 'éà');
      const connector = registry.get(crm)!;

      const expected = await read(connector, Buffer.from(declaring('UTF-8', text)));
      const found = await read(connector, encode(declaring(declared, text)));

      expect(expected.listings.join()).toContain('é');
      expect(found.listings).toEqual(expected.listings);
      expect(found.warnings.filter(({ code }) => code !== 'wrong_encoding')).toEqual(expected.warnings);
      expect(found.warnings.some(({ code }) => code === 'wrong_encoding')).toBe(warns === true);
    },
  );
});

/** The text of a fixture, in which `stands` replaces each non-ASCII character. */
function textOf(file: string, stands: string): string {
  return decodeText(readFileSync(file)).text.replace(/[^\0-\x7f]/g, stands);
}

function declaring(charset: string | undefined, text: string): string {
  if (!text.startsWith('<?xml')) return text;
  const declaration = charset === undefined ? '<?xml version="1.0"?>' : `<?xml version="1.0" encoding="${charset}"?>`;
  return text.replace(/^<\?xml[^>]*\?>/, declaration);
}

async function read(connector: Connector, bytes: Buffer): Promise<{ listings: string[]; warnings: Warning[] }> {
  const file = join(inboxDir, 'feed');
  writeFileSync(file, bytes);
  // The engine would wait for a file that was just written, because it may still be growing.
  utimesSync(file, 1_000_000, 1_000_000);
  const reading = openFeed(connector, {
    source: { url: 'file:feed', credentials: {}, settings: {} },
    previous: {},
    isKnown: () => false,
    outbound: { allowPrivate: new Set(), inboxDir, maxBytes: 10_000_000, timeoutMs: 300_000, idleTimeoutMs: 60_000 },
    signal: new AbortController().signal,
  });
  const listings: string[] = [];
  for await (const outcome of reading.outcomes) {
    listings.push(
      outcome.kind === 'listing' ? `${outcome.normalized.toString()} ${outcome.raw.toString()}` : outcome.kind,
    );
  }
  return { listings, warnings: reading.summary().warnings };
}
