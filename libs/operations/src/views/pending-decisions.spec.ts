import type { GatewayRow } from './gateway-rows';
import { pendingDecisions } from './pending-decisions';

function aRow(known: Partial<GatewayRow>): GatewayRow {
  const own = { crm: 'kyero', client: 'a', active: true, paused: null, heldRunId: null, heldReason: null };
  return { ...own, failingReason: null, ...known } as never;
}
const failing = (failingReason: string, since: string, own: Partial<GatewayRow> = {}): GatewayRow =>
  aRow({ state: 'failing', failingReason, since, ...own });

describe('pending decisions', () => {
  it('have one cause each, and say how many gateways of the connector have it, and how many exactly this reason', () => {
    const rows = [
      failing('https://a.example/f.xml answered 404 after 3 s', '2026-01-01'),
      failing('https://b.example/g.xml answered 404 after 12 s', '2026-01-02'),
      failing('https://b.example/g.xml answered 404 after 12 s', '2026-01-03'),
      failing('b.example refused its password', '2026-01-04', { client: 'alone', heldRunId: 7 }),
      aRow({ state: 'fresh' }),
      aRow({ state: 'disabled', active: false }),
    ];
    expect(pendingDecisions(rows)).toEqual([
      {
        ...{ state: 'failing', crm: 'kyero', client: null, count: 3, all: 5, oldest: '2026-01-01', runId: null },
        ...{ reason: 'https://b.example/g.xml answered 404 after 12 s', alike: 2 },
      },
      {
        ...{ state: 'failing', crm: 'kyero', client: 'alone', count: 1, all: 5, oldest: '2026-01-04', runId: null },
        ...{ reason: 'b.example refused its password', alike: 1 },
      },
    ]);
  });

  it('leave out paused gateways, which run again only when an operator wants it', () => {
    expect(pendingDecisions([failing('no answer', '2026-01-01', { paused: {} as never })])).toEqual([]);
  });

  it('begin with failing gateways, however many are held, and leave no group out', () => {
    const held = Array.from({ length: 30 }, (_, index) =>
      aRow({
        crm: `crm-${index}`,
        state: 'held',
        heldReason: 'half of it went',
        heldRunId: index,
        since: '2026-01-01',
      }),
    );
    const found = pendingDecisions([...held, held[0]!, failing('it did not answer', '2026-01-05')]);
    expect(found.map(({ state, count }) => `${state} ${count}`).slice(0, 3)).toEqual(['failing 1', 'held 2', 'held 1']);
    expect(found).toHaveLength(31);
  });
});
