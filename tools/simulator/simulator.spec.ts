import AdmZip from 'adm-zip';
import iconv from 'iconv-lite';
import { inventProperties } from './properties';
import { SIMULATED_CRMS } from './property';
import { createSimulator, type Simulator } from './simulator';
import { APIMO_CREDENTIALS } from './sources';

const { provider, token } = APIMO_CREDENTIALS;
const authorization = `Basic ${Buffer.from(`${provider}:${token}`).toString('base64')}`;

describe('CRM simulator', () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await createSimulator({ seed: 3, counts: { apimo: 25, kyero: 20, poliris: 20 } });
  });

  afterEach(async () => {
    await simulator.close();
  });

  const bytes = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
  /** The files of a feed, without the simulator's host in photo addresses. */
  const feedOf = async ({ sources, host }: Simulator, crm: 'kyero' | 'poliris'): Promise<Buffer> => {
    const feed = await bytes(sources[crm]);
    const files = crm === 'kyero' ? [feed] : new AdmZip(feed).getEntries().map((entry) => entry.getData());
    return Buffer.from(files.map((file) => file.toString('latin1').replaceAll(host, '')).join('\n'));
  };

  it.each(['kyero', 'poliris'] as const)('serves the same bytes for the same seed: %s', async (crm) => {
    const again = await createSimulator({ seed: 3, counts: { [crm]: 20 } });
    const other = await createSimulator({ seed: 4, counts: { [crm]: 20 } });

    const feed = await feedOf(simulator, crm);
    expect((await feedOf(again, crm)).equals(feed)).toBe(true);
    expect((await feedOf(other, crm)).equals(feed)).toBe(false);
    await Promise.all([again.close(), other.close()]);
  });

  it.each(SIMULATED_CRMS)('invents varied listings: %s', (crm) => {
    const properties = inventProperties(crm, 3, 200);

    expect(new Set(properties.map(({ id }) => id)).size).toBe(200);
    expect(new Set(properties.map(({ kind }) => kind)).size).toBeGreaterThan(5);
    expect(new Set(properties.map(({ offer }) => offer)).size).toBeGreaterThan(1);
    expect(properties.some(({ price }) => price === null)).toBe(true);
    expect(properties.filter(({ photos }) => photos.length > 1).length).toBeGreaterThan(150);
  });

  it('begins a longer list with the shorter list', () => {
    expect(inventProperties('kyero', 3, 30).slice(0, 20)).toEqual(inventProperties('kyero', 3, 20));
  });

  it('answers 304 to a client that has the feed, until the feed changes', async () => {
    const url = simulator.sources.kyero;
    const first = await fetch(url);
    await first.arrayBuffer();
    const conditions = [
      { 'if-none-match': first.headers.get('etag')! },
      { 'if-modified-since': first.headers.get('last-modified')! },
    ];
    for (const headers of conditions) expect((await fetch(url, { headers })).status).toBe(304);

    simulator.portfolios.kyero.change(1_001, { price: 1 });

    const { status } = await fetch(url, { headers: conditions[0]! });
    expect(status).toBe(200);
  });

  it('writes Poliris rows of 334 quoted cells in Windows-1252', async () => {
    const zip = new AdmZip(await bytes(simulator.sources.poliris));
    const rows = iconv.decode(zip.readFile('Annonces.csv')!, 'windows-1252').trimEnd().split('\r\n');

    expect(rows).toHaveLength(20);
    expect(rows.map((row) => row.split('!#').length)).toEqual(new Array(20).fill(334));
    expect(rows.every((row) => /^"DEMO0001"!#/.test(row))).toBe(true);
  });

  it('serves the Apimo API in pages to clients with the credentials', async () => {
    const page = async (query: string): Promise<{ total_items: number; properties: { id: number }[] }> => {
      const url = `${simulator.sources.apimo}/agencies/9001/properties?${query}`;
      return (await (await fetch(url, { headers: { authorization } })).json()) as never;
    };

    expect((await fetch(`${simulator.sources.apimo}/agencies`)).status).toBe(401);
    const pages = [await page('limit=10&offset=0'), await page('limit=10&offset=10'), await page('limit=10&offset=20')];
    expect(pages.map(({ total_items, properties }) => [total_items, properties.length])).toEqual([
      [25, 10],
      [25, 10],
      [25, 5],
    ]);
    expect(pages.flatMap(({ properties }) => properties.map(({ id }) => id))).toEqual(
      simulator.portfolios.apimo.properties.map(({ id }) => id),
    );
  });

  it('sends faulty responses until behave() is called', async () => {
    const url = simulator.sources.kyero;
    simulator.misbehave('kyero', { kind: 'truncated', bytes: 100 });
    expect(await bytes(url)).toHaveLength(100);
    simulator.misbehave('kyero', { kind: 'dropped', afterBytes: 100 });
    await expect(bytes(url)).rejects.toThrow();
    simulator.misbehave('kyero', { kind: 'status', status: 429, headers: { 'retry-after': '5' } });
    const limited = await fetch(url);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '5']);
    expect(simulator.requests.filter(({ crm }) => crm === 'kyero')).toHaveLength(3);

    simulator.behave();

    expect((await fetch(url)).status).toBe(200);
  });
});
