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

describe('an office of Realworks', () => {
  it('is read whole, along its links', async () => {
    const feed = await read({ limit: '2' });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it('is read in one request where it has a page only', async () => {
    expect(idsIn(await read())).toEqual([1, 2, 3, 4, 5]);
    expect(api.requests).toHaveLength(1);
  });

  it('may have no object', async () => {
    state.objects = () => [];
    const feed = await read();
    expect([feed.listings, feed.summary.incomplete]).toEqual([[], null]);
  });

  it('is asked for what is active', async () => {
    state.objects = () => [...upTo(2), { id: 3, members: { actief: false } }];
    const feed = await read();
    expect([idsIn(feed), feed.rejections]).toEqual([[1, 2], []]);
  });
});

describe('a list that cannot be proven', () => {
  it('because a link leads to another host is incomplete, and the token goes there never', async () => {
    state.linksTo = 'https://elsewhere.example';
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).toContain('`volgende` leads to another host');
  });

  it.each([
    ['says that there is more', 3],
    ['does not count', undefined],
  ])('because a full page without a link %s is incomplete', async (_how, totalIsOffBy) => {
    Object.assign(state, { forgetsLinks: true, totalIsOffBy });
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).not.toBeNull();
  });

  it.each([2, 40])('because the total is too high by %d is incomplete', async (totalIsOffBy) => {
    state.totalIsOffBy = totalIsOffBy;
    const { summary } = await read({ limit: '2' });
    expect(summary.incomplete).not.toBeNull();
  });

  it('is none because its total is too low: links lead on', async () => {
    state.totalIsOffBy = -3;
    const feed = await read({ limit: '2' });
    expect(idsIn(feed)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('who is not let in', () => {
  it.each([
    ['a wrong token', { token: 'x' }, true],
    ['a token of another address', REALWORKS_CREDENTIALS, false],
  ])('because of %s is told so in one sentence, after one request', async (_why, credentials, letsIn) => {
    state.letsIn = letsIn;
    const error = await read({}, credentials).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AccessRefused);
    expect(String(error)).toContain(
      'Realworks does not know the token, or does not let it in from the address of this machine',
    );
    expect(String(error)).not.toContain('persoon');
    expect(api.requests).toHaveLength(1);
  });

  it('in the middle of the walk asks once more, and no further', async () => {
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
    'without a token (%j) asks for nothing',
    async (credentials) => {
      await expect(read({}, credentials)).rejects.toThrow(AccessRefused);
      expect(api.requests).toHaveLength(0);
    },
  );

  it('takes the token with its word in front', async () => {
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
