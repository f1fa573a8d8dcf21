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

describe('the list of an account of Propstack', () => {
  it.each(['3', '4'])('is read whole, %s at a time', async (limit) => {
    const feed = await read({ limit });
    expect([idsIn(feed), feed.summary.incomplete]).toEqual([[1, 2, 3, 4, 5], null]);
  });

  it.each(['1', '2'])('is incomplete %s at a time: no page shares a unit with the one before', async (limit) => {
    expect((await read({ limit })).summary.incomplete).not.toBeNull();
  });

  it('of several hundred is read whole, as it comes', async () => {
    state.units = upTo(250);
    const feed = await read();
    expect([idsIn(feed).length, feed.summary.incomplete]).toEqual([250, null]);
  });

  it('is refused with one sentence, after one request', async () => {
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
