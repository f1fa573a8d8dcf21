import type { GatewaySummary } from '@passerelle/database';
import { countByState, filterRows, sortRows, toGatewayRow } from './gateway-rows';

const NOW = new Date('2026-11-23T12:00:00Z');
const HOUR = 3600;

function aGateway(own: Partial<GatewaySummary> = {}): GatewaySummary {
  return {
    ...{ id: 1, crm: 'kyero', client: 'a', sourceUrl: 'https://feeds.example.org/a.xml', settings: {} },
    ...{
      hasCredentials: false,
      enabled: true,
      active: true,
      paused: null,
      contractEnd: null,
      everySeconds: null,
      listings: 5,
    },
    ...{ publishedAt: '2026-11-20T12:00:00Z', confirmedAt: '2026-11-23T11:30:00Z', nextRunAt: '2026-11-23T12:30:00Z' },
    ...{ failures: 0, failingSince: null, failingCode: null, failingReason: null, failedAt: null },
    ...{ heldRunId: null, heldReason: null, heldSince: null, waitingSince: null, isRunning: false },
    ...own,
  };
}
const PAUSED = { until: null, reason: 'they move', by: 'zoe', since: '2026-11-19T12:00:00Z', crm: 'kyero', host: null };
const TERMS = { everySeconds: HOUR, ttlSeconds: HOUR };
const rowOf = (own: Partial<GatewaySummary> = {}) => toGatewayRow(aGateway(own), NOW, TERMS);

describe('gateway row', () => {
  it.each<[string, Partial<GatewaySummary>]>([
    ['fresh', {}],
    ['stale', { confirmedAt: '2026-11-23T10:59:59Z' }],
    ['stale', { confirmedAt: '2026-11-23T12:05:00Z' }],
    ['never', { listings: null, confirmedAt: null }],
    ['held', { heldRunId: 7, confirmedAt: '2026-11-01T00:00:00Z' }],
    ['failing', { failures: 1, heldRunId: 7 }],
    ['failing', { failures: 1, listings: null, confirmedAt: null }],
    ['disabled', { active: false, enabled: false, failures: 3, heldRunId: 7 }],
    ['disabled', { active: false }],
    ['disabled', { active: false, paused: PAUSED }],
    ['failing', { paused: PAUSED, failures: 1, heldRunId: 7 }],
    ['paused', { paused: PAUSED, confirmedAt: '2026-11-01T00:00:00Z' }],
  ])('has the state %s: %j', (state, own) => {
    expect(rowOf(own).state).toBe(state);
  });

  it('shows since when the gateway is in that state', () => {
    expect(rowOf({ failures: 2, failingSince: '2026-11-22T00:00:00Z' }).since).toBe('2026-11-22T00:00:00Z');
    expect(rowOf({ heldRunId: 7, heldSince: '2026-11-21T00:00:00Z' }).since).toBe('2026-11-21T00:00:00Z');
    expect(rowOf({ paused: PAUSED }).since).toBe('2026-11-19T12:00:00Z');
    expect(rowOf().since).toBe('2026-11-23T11:30:00Z');
    expect(rowOf({ listings: null, confirmedAt: null }).since).toBeNull();
  });
});

describe('gateway rows', () => {
  const rows = [
    rowOf({ id: 1, client: 'agence-du-port', failures: 1, failingSince: '2026-11-22T00:00:00Z' }),
    rowOf({
      id: 2,
      crm: 'apimo',
      client: 'agence-sud',
      sourceUrl: 'https://key:x@api.apimo.pro/agencies',
      listings: 9,
    }),
    rowOf({ id: 3, client: 'zenith', failures: 4, failingSince: '2026-11-20T00:00:00Z', sourceUrl: null, listings: 2 }),
    rowOf({ id: 4, client: 'nord', active: false }),
  ];
  const ids = (chosen: { id: number }[]): number[] => chosen.map(({ id }) => id);

  it.each([
    ["a part of the client's name", { q: 'AGENCE' }, [1, 2]],
    ['the connector and the client', { q: 'kyero/n' }, [4]],
    ['the host of the source', { q: 'api.apimo' }, [2]],
    ['a state', { state: 'failing' as const }, [1, 3]],
    ['a connector', { crm: 'apimo' }, [2]],
    ['a text, a connector and a state together', { q: 'e', crm: 'kyero', state: 'failing' as const }, [1, 3]],
    ['an empty search', { q: '  ' }, [1, 2, 3, 4]],
  ])('are found by %s', (_what, filter, expected) => {
    expect(ids(filterRows(rows, filter))).toEqual(expected);
  });

  it.each([
    ['the credentials before the host of the source', { q: 'key:x' }],
    ['the path of the source', { q: 'a.xml' }],
  ])('are not found by %s', (_what, filter) => {
    expect(ids(filterRows(rows, filter))).toEqual([]);
  });

  it('are sorted by worst state, then by longest time in the state', () => {
    expect(ids(sortRows(rows, 'state', false))).toEqual([3, 1, 2, 4]);
    expect(ids(sortRows(rows, 'name', false))).toEqual([2, 1, 4, 3]);
    expect(ids(sortRows(rows, 'listings', true))).toEqual([2, 4, 1, 3]);
  });

  it('are counted by state, with the longest waiting time', () => {
    expect(countByState(rows)).toEqual([
      { state: 'failing', count: 2, oldest: '2026-11-20T00:00:00Z' },
      { state: 'held', count: 0, oldest: null },
      { state: 'never', count: 0, oldest: null },
      { state: 'stale', count: 0, oldest: null },
      // The failing gateways still serve a fresh list.
      { state: 'fresh', count: 3, oldest: '2026-11-23T11:30:00Z' },
      { state: 'paused', count: 0, oldest: null },
      { state: 'disabled', count: 1, oldest: null },
    ]);
  });
});
