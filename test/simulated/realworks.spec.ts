import { AccessRefused } from '@passerelle/domain';
import { connector } from '../../libs/connectors/src/sources/realworks/connector';
import { REALWORKS_CREDENTIALS, type RealworksState, simulateRealworks, type SimulatedObject } from './apis/realworks';
import {
  describeReplicas,
  describeTrouble,
  describeMovingPhotos,
  idsIn,
  simulatedSource,
  describeMoves,
} from './simulated-source';

const upTo = (count: number, changes: Partial<SimulatedObject> = {}): SimulatedObject[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, ...changes }));

const source = simulatedSource<RealworksState>({
  connector,
  simulate: simulateRealworks,
  newState: () => ({
    objects: () => upTo(5),
    ...{ letsIn: true, linksTo: undefined, totalIsOffBy: 0, forgetsLinks: false, movesPhotos: false },
    beforePage: () => undefined,
  }),
  credentials: REALWORKS_CREDENTIALS,
});
const { state, api, read } = source;

describe('Realworks office', () => {
  it('is read completely by following its links', async () => {
    const feed = await read({ limit: '2' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('needs only one request when it has one page', async () => {
    expect(idsIn(await read())).toEqual([1, 2, 3, 4, 5]);
    expect(api.requests).toHaveLength(1);
  });

  it('is complete when it has no objects', async () => {
    state.objects = () => [];
    const feed = await read();
    expect([feed.listings, feed.summary.incomplete]).toEqual([[], null]);
  });

  it('provides only active objects', async () => {
    state.objects = () => [...upTo(2), { id: 3, members: { actief: false } }];
    const feed = await read();
    expect([idsIn(feed), feed.rejections]).toEqual([[1, 2], []]);
  });
});

describe('Realworks list that may lack objects', () => {
  it('is incomplete when a link leads to another host, which never gets the token', async () => {
    state.linksTo = 'https://elsewhere.example';
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).toContain('`volgende` leads to another host');
  });

  it.each([
    ['has a higher total', 3],
    ['has no total', undefined],
  ])('is incomplete when a full page without a link %s', async (_how, totalIsOffBy) => {
    Object.assign(state, { forgetsLinks: true, totalIsOffBy });
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).not.toBeNull();
  });

  it.each([2, 40])('is incomplete when the total is too high by %d', async (totalIsOffBy) => {
    state.totalIsOffBy = totalIsOffBy;
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).not.toBeNull();
  });

  it('is complete when the total is too low, because its links lead to all pages', async () => {
    state.totalIsOffBy = -3;
    const feed = await read({ limit: '2' });
    expect(idsIn(feed)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('Realworks access', () => {
  it.each([
    ['a wrong token', { token: 'x' }, true],
    ['a token for another address', REALWORKS_CREDENTIALS, false],
  ])('fails the run after one request with a clear message, because of %s', async (_why, credentials, letsIn) => {
    state.letsIn = letsIn;
    const error = await read({}, credentials).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessRefused);
    expect(String(error)).toContain(
      'Realworks does not know the token, or does not let it in from the address of this machine',
    );
    expect(String(error)).not.toContain('persoon');
    expect(api.requests).toHaveLength(1);
  });

  it('causes few further requests after its loss during the crawl, and the run ends', async () => {
    let pages = 0;
    state.beforePage = () => {
      pages += 1;
      if (pages === 2) state.letsIn = false;
    };
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).toContain('answered 403');
    expect(summary.incomplete).not.toContain('persoon');
    expect(api.requests.length).toBeLessThan(6);
  });

  it.each([{}, { token: ' ' }, { token: 'rwauth ' }, { token: 'a\nb' }])(
    'causes no request when the token is missing (%j)',
    async (credentials) => {
      await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
      expect(api.requests).toHaveLength(0);
    },
  );

  it('works with a token that already has its prefix', async () => {
    expect(idsIn(await read({}, { token: `rwauth ${REALWORKS_CREDENTIALS.token}` }))).toHaveLength(5);
  });
});

describeMovingPhotos(source, () => {
  state.objects = () => upTo(2, { photos: 2 });
});

describeTrouble(source, ({ url }) => url.pathname === '/wonen/v3/objecten');

describeMoves((list, beforePage) => {
  state.objects = () => list.ids.map((id) => ({ id }));
  state.beforePage = beforePage;
  return read({ limit: '4' });
});

describeReplicas((list) => {
  state.objects = () => list.ids().map((id) => ({ id }));
  state.total = () => list.total();
  state.beforePage = () => {
    list.beforePage();
  };
  return read({ limit: '3' });
});
