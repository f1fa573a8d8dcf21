import { AccessRefused } from '@passerelle/domain';
import { connector } from '../../libs/connectors/src/sources/propstack/connector';
import { PROPSTACK_CREDENTIALS, type PropstackState, simulatePropstack } from './apis/propstack';
import { describeReplicas, describeTrouble, idsIn, simulatedSource, describeMoves } from './simulated-source';

const upTo = (count: number): Map<number, object> =>
  new Map(Array.from({ length: count }, (_, index) => [index + 1, {}]));

const source = simulatedSource<PropstackState>({
  connector,
  simulate: simulatePropstack,
  newState: () => ({
    ...{ units: upTo(5), removed: [], reportsRemoved: true },
    ...{ order: undefined, total: undefined, beforePage: undefined },
  }),
  credentials: PROPSTACK_CREDENTIALS,
  path: '/v1',
});
const { state, api, read } = source;

describe('Propstack list', () => {
  it.each(['3', '4'])('is read completely with %s units per page', async (limit) => {
    const feed = await read({ limit });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it.each(['1', '2'])(
    'is incomplete with %s units per page, because consecutive pages share no unit',
    async (limit) => {
      expect((await read({ limit })).summary.incomplete).not.toBeNull();
    },
  );

  it("is read completely with several hundred units, in the source's order", async () => {
    state.units = upTo(250);
    const feed = await read();
    expect([idsIn(feed).length, feed.summary.incomplete]).toEqual([250, null]);
  });

  it('causes only one request when the key is wrong', async () => {
    await expect(read({}, { 'api-key': 'x' })).rejects.toThrow(AccessRefused);
    expect(api.requests).toHaveLength(1);
  });
});

describeTrouble(source, ({ url }) => url.pathname === '/v1/units');

describeMoves((list, beforePage) => {
  Object.assign(state, { order: () => list.ids, beforePage });
  return read({ limit: '4' });
});

describeReplicas((list) => {
  Object.assign(state, {
    order: () => list.ids(),
    total: () => list.total(),
    beforePage: () => {
      list.beforePage();
    },
  });
  return read({ limit: '3' });
});
