import { request } from 'undici';
import { encoded, picture, pixelsOf } from '../../support/media/pictures';
import { type PhotoGateway, type PhotoGateways, polirisLine, startPhotoGateways } from './photo-gateway';

// Real: PostgreSQL, the connectors, the ingestor's code, the media store on disk, the API. Fake: the CRM that drops archives.
describe('photos found only by the reference and number in their file names', () => {
  let gateways: PhotoGateways;
  let gateway: PhotoGateway;
  let pictures: Buffer[];

  beforeAll(async () => {
    gateways = await startPhotoGateways();
    pictures = await Promise.all([11, 12, 13, 14].map((seed) => encoded('jpg', picture({ seed }))));
  });
  afterAll(() => gateways.close());

  /** The pictures of each listing, recognized by their served pixels. */
  const shown = async (): Promise<number[][]> => {
    const pixels = await Promise.all(pictures.map((file) => pixelsOf(file)));
    const indexOf = async (url: string): Promise<number> => {
      const { body } = await request(gateways.api.url + new URL(url).pathname);
      const served = await pixelsOf(Buffer.from(await body.arrayBuffer()));
      return pixels.findIndex((one) => one.equals(served));
    };
    const listings = await gateway.listings();
    return Promise.all(listings.map(({ photos }) => Promise.all(photos.map(({ url }) => indexOf(url)))));
  };
  const changed = { state: 'published', changed: 1, warnings: 0 };

  describe('of Poliris', () => {
    const rows = (title?: string): string => [polirisLine('1', {}, title), polirisLine('10', {})].join('\r\n');
    beforeEach(async () => {
      gateway = await gateways.add('poliris');
    });

    it('are served in the order of their numbers, each with its listing, and change when the files change', async () => {
      const feed = { 'EXPORT/Annonces.csv': rows() };
      const first = {
        ...feed,
        'EXPORT/R1_2.JPG': pictures[1]!,
        'EXPORT/r1_1.jpg': pictures[0]!,
        'R10-a.jpg': pictures[2]!,
      };
      expect(await gateway.deliver(first)).toMatchObject({ state: 'published', added: 2, warnings: 0 });
      expect(await shown()).toEqual([[0, 1], [2]]);

      expect(await gateway.deliver({ ...first, 'note.txt': '' })).toMatchObject({ state: 'unchanged', unchanged: 2 });
      expect(await gateway.deliver({ ...first, 'r1_3.jpg': pictures[3]! })).toMatchObject({ ...changed, unchanged: 1 });
      expect(await shown()).toEqual([[0, 1, 3], [2]]);
      expect(await gateway.deliver({ ...first, 'R10-a.jpg': pictures[3]! })).toMatchObject(changed);
      expect(await shown()).toEqual([[0, 1, 3], [3]]);
    });

    it('stay after an archive with only new photos, and are replaced after a complete archive', async () => {
      const cfg = (mode: string): Record<string, string> => ({ 'Photos.cfg': `Mode=${mode}` });
      await gateway.deliver({ 'a.csv': rows(), ...cfg('DIFF'), 'R1_1.jpg': pictures[0]!, 'R1_2.jpg': pictures[1]! });

      expect(await gateway.deliver({ 'a.csv': rows('Un autre'), ...cfg('DIFF') })).toMatchObject(changed);
      expect(await shown()).toEqual([[0, 1], []]);
      const third = { 'a.csv': rows('Un autre'), ...cfg('DIFF'), 'R1_3.jpg': pictures[2]! };
      expect(await gateway.deliver(third)).toMatchObject(changed);
      expect(await shown()).toEqual([[0, 1, 2], []]);
      expect(await gateway.deliver({ ...third, ...cfg('FULL') })).toMatchObject(changed);
      expect(await shown()).toEqual([[2], []]);
    });

    it('are ignored as soon as a record of the gateway names a photo', async () => {
      await gateway.deliver({ 'a.csv': polirisLine('1', { 85: 'r1_1.jpg' }), 'r1_1.jpg': pictures[0]! });
      expect(await shown()).toEqual([[0]]);
      expect(await gateway.deliver({ 'a.csv': polirisLine('1', {}) })).toMatchObject(changed);
      expect(await shown()).toEqual([[]]);
    });
  });

  it('of BLM come from the last archive that contains photos', async () => {
    gateway = await gateways.add('blm');
    const feed = (price: string): Record<string, string> => ({
      '100.blm': `#HEADER#\r\nVersion : 3\r\nEOF : '^'\r\nEOR : '~'\r\n#DEFINITION#\r\nAGENT_REF^BRANCH_ID^TRANS_TYPE_ID^PRICE^MEDIA_IMAGE_00^~\r\n#DATA#\r\n100_1^100^1^${price}^^~\r\n#END#`,
    });
    const files = { 'pics/100_1_IMG_01.jpg': pictures[1]!, 'pics/100_1_img_00.JPG': pictures[0]! };
    expect(await gateway.deliver({ ...feed('250000'), ...files })).toMatchObject({ added: 1, warnings: 0 });
    expect(await shown()).toEqual([[0, 1]]);

    expect(await gateway.deliver(feed('260000'))).toMatchObject(changed);
    expect(await shown()).toEqual([[0, 1]]);
    expect(await gateway.deliver({ ...feed('260000'), '100_1_IMG_00.jpg': pictures[2]! })).toMatchObject(changed);
    expect(await shown()).toEqual([[2]]);
  });
});
