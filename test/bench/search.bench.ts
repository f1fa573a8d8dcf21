import { type Listing, searchEntryOf } from '@passerelle/domain';
import pg from 'pg';
import type { Bench } from './bench';
import { multiply } from './copied-gateways';
import { cpuTimeOfPostgres } from './cpu-time';
import { kyeroFeed } from './feeds';
import { addGateway, type BenchGateway, drop, importNow } from './gateways';
import { medianOf } from './rounds';
import { timesOfAnswers } from './http-load';
import type { Surroundings } from './surroundings';
import { sized } from './size';

const LISTINGS = sized(5_000, 300);
const OTHERS = sized(20_000, 40);
const OF_OTHERS = 5;
const SEARCHES = sized(3_000, 50);
const ROUNDS = sized(5, 1);

/**
 * Measures different searches in a large gateway among many others, one after the other, and the extra cost of each
 * publication for search.
 */
export const search: Bench = {
  name: 'search',
  async run(surroundings) {
    await drop(surroundings, 'small.xml', kyeroFeed(OF_OTHERS));
    const other = await addGateway(surroundings, 'kyero', 'file:small.xml');
    await importNow(surroundings, other);
    await multiply(surroundings.databaseUrl, other, OTHERS);
    await drop(surroundings, 'feed.xml', kyeroFeed(LISTINGS));
    const gateway = await addGateway(surroundings, 'kyero', 'file:feed.xml');
    const { entryUs, importUs, rowUs } = await costOfPublication(surroundings, gateway);

    const api = await surroundings.start('apps/api/src/main.js');
    const times = async (queries: readonly string[]): Promise<number[]> => {
      const left = queries.values();
      const nextPath = (): string => `/v1/search?crm=kyero&client=${gateway.client}&${left.next().value}`;
      const asked = await timesOfAnswers({ port: api.port, headers: { key: gateway.key }, nextPath }, queries.length);
      return asked.toSorted((a, b) => a - b);
    };
    const [first = 0] = await times(['q=piscine']);
    const sorted = await times(Array.from({ length: SEARCHES }, (_, n) => queryOf(n)));
    const at = (share: number): number => sorted[Math.floor(SEARCHES * share)]!;
    return [
      {
        what: `a search in ${LISTINGS} listings of one gateway among ${OTHERS}, 99 of 100`,
        value: at(0.99),
        goal: { max: 10 },
        unit: 'ms',
        detail: `${SEARCHES} searches, median ${at(0.5).toFixed(1)} ms, the very first ${first.toFixed(0)} ms`,
      },
      {
        what: 'what a first import pays for it, of the CPU of ingestor and PostgreSQL',
        value: importUs / (importUs - entryUs - rowUs),
        goal: { max: 1.15 },
        unit: '×',
        detail: `${entryUs.toFixed(0)} µs for the entry and ${rowUs.toFixed(0)} µs for its row, of ${importUs.toFixed(0)} µs a record`,
      },
    ];
  },
};

const WORDS = ['piscine', 'jardins', 'terrasse', 'calme', 'vue mer', 'garage', 'cheminée', 'ville', 'maison pierre'];
const SORTS = ['prix', '-prix', 'surface', '-date', 'feed'];

/** Queries like those of a form and a map. No two are equal. */
function queryOf(n: number): string {
  const parts = [`prixMin=${50_000 + n}`, `sort=${SORTS[n % SORTS.length]!}`, `page=${(n % 4) + 1}`, 'per_page=24'];
  if (n % 2 === 0) parts.push('facets=typeCode,ville,nbrePieces');
  if (n % 3 === 0) parts.push(`q=${encodeURIComponent(WORDS[n % WORDS.length]!)}`);
  if (n % 4 === 0) parts.push('bbox=-3,36,6,48');
  if (n % 5 === 0) parts.push('around=43.6,3.9,400');
  if (n % 7 === 0) parts.push('polygon=36,-6;48,-4;47,8;41,3');
  if (n % 50 === 0) parts.push('pins=true');
  return parts.join('&');
}

/**
 * The CPU time per record of the whole first import, of its search entry, and of the row in which the entry is stored.
 */
async function costOfPublication(
  surroundings: Surroundings,
  gateway: BenchGateway,
): Promise<{ entryUs: number; importUs: number; rowUs: number }> {
  const imports: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = round === 0 ? gateway : await addGateway(surroundings, 'kyero', 'file:feed.xml');
    const [ours, theirs] = [process.cpuUsage(), cpuTimeOfPostgres()];
    await importNow(surroundings, one);
    const { user, system } = process.cpuUsage(ours);
    imports.push((user + system + (cpuTimeOfPostgres() - theirs) * 1000) / LISTINGS);
  }
  const client = new pg.Client({ connectionString: surroundings.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ body: string }>(
    `SELECT b.body FROM listing_version v JOIN listing_normalized b ON b.gateway_id = v.gateway_id AND b.version_id = v.id
     WHERE v.gateway_id = $1`,
    [gateway.id],
  );
  const listings = rows.map(({ body }) => JSON.parse(body) as Listing);
  // A table like that of search entries, with the same foreign key and storage, into which rows can be copied.
  await client.query(`CREATE TABLE copied_search (LIKE listing_search INCLUDING DEFAULTS INCLUDING STORAGE)`);
  const [part] = (
    await client.query<{ name: string }>(
      `SELECT tableoid::regclass::text AS name FROM listing_version WHERE gateway_id = $1 LIMIT 1`,
      [gateway.id],
    )
  ).rows;
  await client.query(
    `ALTER TABLE copied_search ADD FOREIGN KEY (version_id, gateway_id) REFERENCES ${part!.name} (id, gateway_id)`,
  );
  await client.query(`CREATE INDEX ON copied_search (gateway_id, version_id)`);
  const entries: number[] = [];
  const copies: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    listings.forEach(searchEntryOf);
    const { user, system } = process.cpuUsage(before);
    entries.push((user + system) / LISTINGS);
    const theirs = cpuTimeOfPostgres();
    await client.query('INSERT INTO copied_search SELECT * FROM listing_search WHERE gateway_id = $1', [gateway.id]);
    copies.push(((cpuTimeOfPostgres() - theirs) * 1000) / LISTINGS);
  }
  await client.end();
  return { entryUs: medianOf(entries.slice(1)), importUs: medianOf(imports.slice(1)), rowUs: medianOf(copies) };
}
