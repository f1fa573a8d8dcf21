import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { type FeedSummary, loadRegistry, openFeed, type RecordOutcome } from '@passerelle/connectors';
import type { Listing } from '@passerelle/domain';
import { type Answer, type FeedServer, startFeedServer } from '../../support/feed-server';

// Real: the connectors, over HTTP. Fake: the CRM, which serves sample feeds from the folder PASSERELLE_SAMPLES. The
// samples belong to vendors, and may not be published.

const SAMPLES = process.env['PASSERELLE_SAMPLES'] ?? '';
const describeOrSkip = SAMPLES === '' ? describe.skip : describe;

const sample = (path: string): Buffer => readFileSync(join(SAMPLES, path));

interface Reading {
  listings: Listing[];
  raw: Record<string, unknown>[];
  rejected: string[];
  summary: FeedSummary;
}

describeOrSkip('sample feeds', () => {
  let server: FeedServer;

  beforeAll(async () => {
    server = await startFeedServer();
  });

  afterAll(async () => {
    await server.close();
  });

  const read = async (code: string, answer: FeedServer['answer'], path = '/feed'): Promise<Reading> => {
    server.answer = answer;
    const connector = (await loadRegistry()).get(code);
    if (connector === undefined) throw new Error(`there is no connector ${code}`);
    const reading = openFeed(connector, {
      source: {
        url: `http://${server.hostAndPort}${path}`,
        credentials: code === 'apimo' ? { provider: '1', token: 't' } : {},
        settings: {},
      },
      previous: {},
      isKnown: () => false,
      outbound: {
        allowPrivate: new Set([server.hostAndPort]),
        inboxDir: SAMPLES,
        maxBytes: 10_000_000,
        timeoutMs: 10_000,
        idleTimeoutMs: 5_000,
      },
      signal: AbortSignal.timeout(20_000),
    });
    const outcomes: RecordOutcome[] = [];
    for await (const outcome of reading.outcomes) outcomes.push(outcome);
    const published = outcomes.filter((outcome) => outcome.kind === 'listing');
    return {
      listings: published.map(({ normalized }) => JSON.parse(normalized.toString()) as Listing),
      raw: published.map(({ raw }) => JSON.parse(raw.toString()) as Record<string, unknown>),
      rejected: outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.rejection.code] : [])),
      summary: reading.summary(),
    };
  };

  describe('of Poliris', () => {
    const expected = (): unknown[] => {
      const listings = JSON.parse(sample('poliris/Annonces.expected.json').toString()) as Listing[];
      return listings.map(({ photos, ...rest }) =>
        expect.objectContaining({ ...rest, photos: photos.map(({ url }) => expect.objectContaining({ url })) }),
      );
    };

    it.each(['immo_demo0001.zip', 'Annonces.csv', 'Annonces-utf8-bom.csv'])(
      'are read correctly from %s',
      async (file) => {
        const { listings, rejected, summary } = await read('poliris', { body: sample(`poliris/${file}`) });

        expect(listings).toEqual(expected());
        expect(rejected).toEqual([]);
        expect(summary).toMatchObject({ records: 3, incomplete: null });
      },
    );

    it('give listings without owners and private comments', async () => {
      const { listings, raw } = await read('poliris', { body: sample('poliris/immo_demo0001.zip') });

      expect(JSON.stringify({ listings, raw })).not.toMatch(/FICTIF"|jeter|privé/);
    });

    it('give no listing when the archive contains none', async () => {
      const { summary } = await read('poliris', { body: sample('poliris/empty-annonces.zip') });

      expect(summary.records).toBe(0);
    });

    it('are refused in an archive with entries outside its folder (zip slip)', async () => {
      await expect(read('poliris', { body: sample('poliris/zip-slip.zip') })).rejects.toThrow(/\w \w/);
    });
  });

  describe('of Kyero', () => {
    it('are read correctly from a version 3 feed', async () => {
      const { listings, summary } = await read('kyero', { body: sample('kyero/kyero-v3-openestate.xml') });

      expect(summary).toMatchObject({ records: listings.length, incomplete: null });
      expect(listings[0]).toMatchObject({
        affId: '12367',
        affNum: 'V3TEST',
        typeTransaction: 'vente',
        typeCode: 'maison',
        prix: 250_000,
        prixCurrency: 'EUR',
        surfaceHabitable: 150,
        surfaceTerrain: 500,
        nbreChambres: 3,
        ville: 'almunecar',
        latitude: 36.728807,
        longitude: -3.693466,
        commentaires: 'French property description',
        energie: [
          { pays: 'ES', echelle: 'ES-CEE', grandeur: 'energie-primaire', classe: 'D' },
          { pays: 'ES', echelle: 'ES-CEE', grandeur: 'emissions', classe: 'C' },
        ],
      });
    });

    it('are read correctly from a version 2.1 feed', async () => {
      const { listings, rejected } = await read('kyero', { body: sample('kyero/kyero-v2_1-openestate.xml') });

      expect(rejected).toEqual([]);
      expect(listings.length).toBeGreaterThan(0);
      expect(listings[0]).toMatchObject({ passerelleName: 'kyero', affId: expect.any(String) });
    });

    it('are read correctly when one property has one image', async () => {
      const { listings } = await read('kyero', { body: sample('kyero/kyero-single.xml') });

      expect(listings).toEqual([
        expect.objectContaining({
          affId: 'S1',
          affNum: '00012',
          prix: 99_000,
          typeCode: 'appartement',
          photos: [expect.objectContaining({ url: 'https://photos.example.org/k/s1.jpg' })],
        }),
      ]);
      expect(listings[0]).not.toHaveProperty('nbreChambres');
    });

    it('give no listing when the document contains none', async () => {
      expect((await read('kyero', { body: sample('kyero/kyero-empty.xml') })).summary.records).toBe(0);
    });

    it('are reported as incomplete when the document is truncated', async () => {
      const { listings, raw, summary } = await read('kyero', { body: sample('kyero/kyero-truncated.xml') });

      expect(listings).toEqual([
        expect.objectContaining({
          affId: 'K1',
          prix: 250_000,
          nbreChambres: 3,
          agenceNom: 'Demo Costa Homes',
          commentaires: 'Villa fictive & piscine\nDeuxième paragraphe',
        }),
      ]);
      expect(JSON.stringify({ listings, raw })).not.toContain('PRIVATE');
      expect(summary.incomplete).toMatch(/\w \w/);
    });

    it('are refused when the document declares entities', async () => {
      await expect(read('kyero', { body: sample('kyero/kyero-doctype.xml') })).rejects.toThrow(/\w \w/);
    });
  });

  describe('of Apimo', () => {
    const api = (request: IncomingMessage): Answer => {
      const url = new URL(request.url ?? '/', 'http://crm');
      const headers = { 'content-type': 'application/json' };
      if (!url.pathname.endsWith('/properties')) return { headers, body: sample('apimo/agencies.json') };
      if ((url.searchParams.get('offset') ?? '0') === '0')
        return { headers, body: sample('apimo/properties-page1.json') };
      return { headers, body: '{"total_items":5,"timestamp":1712000000,"properties":[]}' };
    };

    it('are read correctly, and are reported as incomplete when the API declares more records than it sends', async () => {
      const { listings, summary } = await read('apimo', api, '');

      expect(listings).toEqual([
        expect.objectContaining({
          affId: '500001',
          affNum: '24367',
          intitule: '2P CENTRE',
          commentaires: 'Appartement fictif de 2 pièces.\nProche tram.',
          typeTransaction: 'vente',
          typeCode: 'appartement',
          prix: 349_000,
          prixCurrency: 'EUR',
          surfaceHabitable: 52.12,
          nbrePieces: 2,
          nbreChambres: 1,
          ville: 'Villedemo',
          codePostal: '06100',
          agenceNom: 'Agence Démo Riviera',
          negoEmail: 'nego@agence-demo.example',
          photos: [
            expect.objectContaining({ url: 'https://photos.example.org/apimo/1-original.jpg' }),
            expect.objectContaining({ url: 'https://photos.example.org/apimo/2-original.jpg' }),
          ],
        }),
        expect.objectContaining({
          affId: '500002',
          affNum: '24368',
          typeTransaction: 'location',
          loyer: 750,
          nbrePieces: 3,
        }),
        expect.objectContaining({ affId: '500003', affNum: '24369', prixSurDemande: true, photos: [] }),
      ]);
      expect(listings[2]).not.toHaveProperty('prix');
      expect(listings[2]!.surfaceHabitable).toBeCloseTo(111.48, 1);
      expect(summary.incomplete).toMatch(/\w \w/);
    });

    it('give listings without private data', async () => {
      const { listings, raw } = await read('apimo', api, '');

      expect(JSON.stringify({ listings, raw })).not.toMatch(/PRIVÉ|birthday_at|net_seller|negotiable|rue de l'Exemple/);
    });
  });
});
