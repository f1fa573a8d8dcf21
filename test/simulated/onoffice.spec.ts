import { AccessRefused } from '@passerelle/domain';
import { choicesOf } from '../support/connectors/choices';
import { MovingList } from '../support/connectors/moving-list';
import type { DroppedFeed } from '../support/connectors/read-dropped';
import { connector } from '../../libs/connectors/src/sources/onoffice/connector';
import { ONOFFICE_CREDENTIALS, type OnOfficeState, simulateOnOffice, type SimulatedEstate } from './apis/onoffice';
import {
  BUSY,
  describeMoves,
  describeReplicas,
  describeTrouble,
  DOWN,
  HTML,
  describeMovingPhotos,
  idsIn,
  simulatedSource,
} from './simulated-source';

const anEstate = (id: number, changes: Partial<SimulatedEstate> = {}): SimulatedEstate => ({
  id,
  fields: {
    ...{ veroeffentlichen: '1', objektart: 'haus', vermarktungsart: 'kauf', kaufpreis: '250000.00', ort: 'Aachen' },
    ...changes.fields,
  },
  ...(changes.pictures !== undefined && { pictures: changes.pictures }),
  ...(changes.agent !== undefined && { agent: changes.agent }),
  ...(changes.translations !== undefined && { translations: changes.translations }),
});

const upTo = (count: number, changes: Partial<SimulatedEstate> = {}): SimulatedEstate[] =>
  Array.from({ length: count }, (_, index) => anEstate(index + 1, changes));

const source = simulatedSource<OnOfficeState>({
  connector,
  simulate: simulateOnOffice,
  newState: () => ({
    estates: () => upTo(5),
    fields: { kaufpreis: {}, objekttitel: {}, objektbeschreibung: {} },
    agents: {},
    ...{ knowsOrder: true, readsAddresses: true, movesPhotos: false, clockAheadS: 0 },
    beforeList: () => undefined,
  }),
  credentials: ONOFFICE_CREDENTIALS,
});
const { state, api, read } = source;

const resourceOf = (body: string): string => /"resourcetype":"(\w+)"/.exec(body)?.[1] ?? '';

describe('onOffice client', () => {
  it('is read completely, in pages by record number, with one request for the list of fields', async () => {
    const feed = await read({ limit: '2' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
    expect(api.requests.filter(({ body }) => resourceOf(body) === 'fields')).toHaveLength(1);
  });

  it('gets no request for fields that it does not have', async () => {
    state.fields = { objekttitel: {} };
    const [listing] = (await read()).listings;
    expect(listing).toMatchObject({ affId: '1', ville: 'Aachen' });
  });

  it('lists only published estates', async () => {
    state.estates = () => [anEstate(1), anEstate(2, { fields: { veroeffentlichen: '0' } }), anEstate(3)];
    expect(idsIn(await read())).toEqual([1, 3]);
  });

  it('is complete when it has no estates', async () => {
    state.estates = () => [];
    const feed = await read();
    expect([feed.listings, feed.summary.incomplete]).toEqual([[], null]);
  });

  it('includes every picture, although one answer contains at most 500 files', async () => {
    state.estates = () => upTo(45, { pictures: 30 });
    const { listings } = await read();
    expect(listings.map(({ photos }) => photos.length)).toEqual(Array(45).fill(30));
    expect(listings[0]?.photos[0]).toMatchObject({ legende: 'Bild 1' });
  });

  it('fails the run when onOffice returns only some of the files of one estate', async () => {
    state.estates = () => upTo(1, { pictures: 501 });
    await expect(read()).rejects.toThrow('onOffice gives 500 files of estate 1, and says that there are more');
  });

  it('provides one of its agents as the contact person of a listing', async () => {
    state.estates = () => [anEstate(1, { agent: 7 }), anEstate(2)];
    state.agents = { '7': { Vorname: 'Ute', Name: 'Beispiel', Email: 'ute@example.org', Zusatz1: 'Muster GmbH' } };
    const { listings } = await read();
    expect(listings[0]).toMatchObject({
      negoNom: 'Ute Beispiel',
      negoEmail: 'ute@example.org',
      agenceNom: 'Muster GmbH',
    });
    expect(listings[1]).not.toHaveProperty('negoNom');
  });

  it('is read without contact names when its API user may not read addresses', async () => {
    state.readsAddresses = false;
    const feed = await read();
    expect([feed.listings.length, feed.warnings]).toEqual([5, ['extra_request_failed contactPerson refused ×1']]);
  });

  it('provides texts in further languages, although the records of translations have different numbers', async () => {
    const translations = { ENG: { objekttitel: 'House', objektbeschreibung: 'Nice' } };
    state.estates = () => [anEstate(1, { fields: { objekttitel: 'Haus', objektbeschreibung: 'Schön' }, translations })];
    const [listing] = (await read({ langues: 'en, fr', langue: 'de' })).listings;
    expect(listing).toMatchObject({
      affId: '1',
      intitule: 'Haus',
      langue: 'de',
      textes: { en: { intitule: 'House' } },
    });
  });
});

describe('onOffice access', () => {
  it.each<[string, object, number]>([
    ['a wrong token', { ...ONOFFICE_CREDENTIALS, token: 'x'.repeat(32) }, 0],
    ['a wrong secret', { ...ONOFFICE_CREDENTIALS, secret: 'x'.repeat(64) }, 0],
    ['a clock that is one hour slow', ONOFFICE_CREDENTIALS, 3600],
  ])('fails the run after one request with a clear message, because of %s', async (_why, credentials, clockAheadS) => {
    state.clockAheadS = clockAheadS;
    const error = await read({}, credentials).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessRefused);
    expect((error as AccessRefused).message).toContain(
      'onOffice refuses the token, the secret or the clock of this machine',
    );
    expect(api.requests).toHaveLength(1);
  });

  it('causes few further requests after its loss during the crawl, and the run ends', async () => {
    let lists = 0;
    state.beforeList = () => {
      lists += 1;
      if (lists === 2) state.clockAheadS = 3600;
    };
    const error = await read({ limit: '2' }).catch((reason: unknown) => reason);
    expect(error instanceof AccessRefused || (error as DroppedFeed).summary.incomplete !== null).toBe(true);
    expect(api.requests.length).toBeLessThan(16);
  });

  it('causes an error that omits the token, even when the API repeats the token', async () => {
    api.fault = () => ({
      kind: 'body',
      contentType: 'application/json',
      body: JSON.stringify({ status: { code: 400, message: `token ${ONOFFICE_CREDENTIALS.token} not authenticated` } }),
    });
    const error = await read().catch((reason: unknown) => reason);
    expect(String(error)).toContain('token *** not authenticated');
  });

  it.each([{ token: 'x' }, { secret: 'x' }, {}])(
    'causes no request when a credential is missing: %j',
    async (credentials) => {
      await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
      expect(api.requests).toHaveLength(0);
    },
  );
});

describeMovingPhotos(source, () => {
  state.estates = () => upTo(2, { pictures: 2 });
});

describeTrouble(source, ({ body }) => resourceOf(body) === 'estate');

it.each([
  ['an HTML page', HTML],
  ['status 429', BUSY],
  ['status 503', DOWN],
])(
  'onOffice connector never removes the photos of a listing when pictures are unavailable because of %s',
  async (_what, fault) => {
    state.estates = () => upTo(5, { pictures: 1 });
    let met = 0;
    api.fault = ({ body }) => (resourceOf(body) === 'estatepictures' && ++met > 2 ? fault : undefined);
    const feed = await read({ limit: '2' }).catch(() => undefined);
    expect(feed?.summary.incomplete ?? 'failed').not.toBeNull();
    for (const { photos } of feed?.listings ?? []) expect(photos).toHaveLength(1);
  },
);

describe('onOffice list that changes during the crawl', () => {
  describe.each([
    ['sorted by record number', true, 150, 90],
    ['in an arbitrary order', false, 40, 5],
  ])('%s', (_how, knowsOrder, lists, least) => {
    describeMoves(
      (list, beforePage) => {
        state.knowsOrder = knowsOrder;
        state.estates = () => list.ids.map((id) => anEstate(id));
        state.beforeList = beforePage;
        return read({ limit: '4' });
      },
      { lists, least },
    );
  });

  it('contains every listing that exists during the whole crawl when another listing is deleted between two pages', async () => {
    const list = new MovingList(choicesOf(1), 6);
    state.estates = () => list.ids.map((id) => anEstate(id));
    let lists = 0;
    state.beforeList = () => {
      lists += 1;
      if (lists === 3) list.ids.shift();
    };
    const feed = await read({ limit: '2' });
    expect(feed.summary.incomplete).toBeNull();
    expect(list.missingFrom(idsIn(feed))).toEqual([]);
  });
});

describe.each([true, false])('onOffice API that applies the requested order: %s', (knowsOrder) => {
  describeReplicas((list) => {
    Object.assign(state, { knowsOrder, total: () => list.total() });
    state.estates = () => list.ids().map((id) => anEstate(id));
    state.beforeList = () => {
      list.beforePage();
    };
    return read({ limit: '3' });
  });
});
