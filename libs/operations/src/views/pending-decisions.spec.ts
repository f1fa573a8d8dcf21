import type { GatewayRow } from './gateway-rows';
import { pendingDecisions } from './pending-decisions';

function aRow(known: Partial<GatewayRow>): GatewayRow {
  return { crm: 'kyero', heldRunId: null, heldReason: null, failingCode: null, failingReason: null, ...known } as never;
}
const failing = (failingReason: string, since: string): GatewayRow =>
  aRow({ state: 'failing', failingCode: 'http', failingReason, since });

describe('pending decisions', () => {
  it('give the most frequent reason of a group, and say how many gateways have it', () => {
    const rows = [
      failing('the source answered 404 after 3 s', '2026-01-01'),
      failing('the source answered 401', '2026-01-02'),
      failing('the source refused its password', '2026-01-03'),
      failing('the source answered 403', '2026-01-04'),
    ];
    expect(pendingDecisions(rows)).toEqual([
      {
        ...{ state: 'failing', crm: 'kyero', count: 4, oldest: '2026-01-01', runId: null },
        ...{ reason: 'the source answered 401', alike: 2 },
      },
    ]);
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
