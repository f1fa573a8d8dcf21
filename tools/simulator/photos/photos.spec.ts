import AdmZip from 'adm-zip';
import iconv from 'iconv-lite';
import sharp from 'sharp';
import { SIMULATED_CRMS } from '../property';
import { createSimulator, type Simulator } from '../simulator';
import { APIMO_CREDENTIALS } from '../sources';
import { retakePhoto } from '../portfolio';

describe('the photos of the simulator', () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await createSimulator({ seed: 3, counts: { apimo: 8, kyero: 8, poliris: 8 } });
  });

  afterEach(async () => {
    await simulator.close();
  });

  const bytes = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
  /** The addresses and file names of photos in each feed. */
  const placesIn = {
    async apimo(): Promise<string[]> {
      const { provider, token } = APIMO_CREDENTIALS;
      const authorization = `Basic ${Buffer.from(`${provider}:${token}`).toString('base64')}`;
      const page = await fetch(`${simulator.sources.apimo}/agencies/9001/properties`, { headers: { authorization } });
      return [...(await page.text()).matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url!);
    },
    async kyero(): Promise<string[]> {
      return [...(await bytes(simulator.sources.kyero)).toString().matchAll(/<url>([^<]+)</g)].map(([, url]) => url!);
    },
    async poliris(): Promise<string[]> {
      const annonces = iconv.decode((await archive()).readFile('Annonces.csv')!, 'windows-1252');
      return [...annonces.matchAll(/"([^"]+\.jpg[^"]*)"/g)].map(([, place]) => place!);
    },
  };
  const archive = async (): Promise<AdmZip> => new AdmZip(await bytes(simulator.sources.poliris));
  const photoAt = async (place: string): Promise<Buffer> =>
    place.startsWith('http') ? bytes(place) : (await archive()).readFile(place)!;

  it.each(SIMULATED_CRMS)('are available as listed in the feed, small, and all different: %s', async (crm) => {
    const places = await placesIn[crm]();

    const photos = await Promise.all(places.map(photoAt));

    expect(photos.length).toBeGreaterThan(20);
    expect(photos.filter(({ length }) => length > 60_000)).toEqual([]);
    for (const photo of photos) {
      expect(await sharp(photo).metadata()).toMatchObject({ format: 'jpeg', width: 800, height: 600 });
    }
    const small = await Promise.all(photos.map((photo) => sharp(photo).resize(80, 60).raw().toBuffer()));
    expect(new Set(small.map((pixels) => pixels.toString('latin1'))).size).toBe(photos.length);
  });

  it('are addresses in Poliris, but files with titles for every fourth property', async () => {
    const places = await placesIn.poliris();
    const files = (await archive()).getEntries().map(({ entryName }) => entryName);

    const named = places.filter((place) => !place.startsWith('http'));
    expect(named.length).toBeGreaterThan(3);
    expect(named.length).toBeLessThan(places.length);
    expect(files.sort()).toEqual(['Annonces.csv', 'Config.txt', 'Photos.cfg', ...named].sort());
    expect((await archive()).readAsText('Photos.cfg')).toBe('Mode=FULL\r\n');
    const rows = iconv.decode((await archive()).readFile('Annonces.csv')!, 'windows-1252').split('\r\n');
    const cells = rows[3]!.slice(1, -1).split('"!#"');
    expect(cells.slice(84, 87)).toEqual(['100004-1-salon.jpg', '100004-2-cuisine.jpg', '100004-3-chambre.jpg']);
    expect(cells.slice(93, 96)).toEqual(['Salon', 'Cuisine', 'Chambre']);
  });

  it.each(['apimo', 'kyero'] as const)('get another address when they are taken again: %s', async (crm) => {
    const before = await placesIn[crm]();

    retakePhoto(simulator.portfolios[crm]);

    const after = await placesIn[crm]();
    const [changed, ...others] = after.filter((url) => !before.includes(url));
    expect(others).toEqual([]);
    expect(changed).toMatch(/-1-\w+\.jpg\?v=2$/);
    const { status, headers } = await fetch(changed!);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  it('keep their file name, but change their bytes, when they are taken again', async () => {
    const { properties } = simulator.portfolios.poliris;
    const [property] = properties.filter(({ id, photos }) => id % 4 === 0 && photos.length > 1);
    const before = await archive();
    const [first, ...others] = property!.photos;

    simulator.portfolios.poliris.change(property!.id, { photos: [{ ...first!, edition: 2 }, ...others] });

    const after = await archive();
    const differing = after
      .getEntries()
      .filter(({ entryName, header }) => header.crc !== before.getEntry(entryName)?.header.crc);
    expect(differing.map(({ entryName }) => entryName)).toEqual([`${property!.id}-1-${first!.scene}.jpg`]);
  });

  it('cause a 304 for clients that have them, and a 404 when they do not exist', async () => {
    const [url] = await placesIn.kyero();
    const etag = (await fetch(url!)).headers.get('etag')!;

    expect((await fetch(url!, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(url!, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    for (const wrong of [
      url!.replace('-1-', '-99-'),
      url!.replace('/1001', '/9999'),
      `${simulator.sources.kyero}/x.jpg`,
    ]) {
      expect((await fetch(wrong)).status).toBe(404);
    }
  });

  it('contain private camera data, so that tests can check its removal', async () => {
    const [url] = await placesIn.kyero();

    expect((await sharp(await bytes(url!)).metadata()).exif?.toString('latin1')).toContain('PRIVATE-CAMERA');
  });
});
