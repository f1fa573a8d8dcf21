import { inactiveReason, isGatewayActive, SLUG_PATTERN, unregisteredConnector } from '../index';

describe('a gateway', () => {
  it.each<[string, string | null, string, boolean]>([
    ['has no end', null, '2999-12-31T12:00:00Z', true],
    ['ends tomorrow', '2026-07-31', '2026-07-30T12:00:00Z', true],
    ['ends today', '2026-07-31', '2026-07-31T12:00:00Z', true],
    ['ends in a second, in summer', '2026-07-31', '2026-07-31T21:59:59Z', true],
    ['has just ended, in summer', '2026-07-31', '2026-07-31T22:00:00Z', false],
    ['ends in a second, in winter', '2026-12-31', '2026-12-31T22:59:59Z', true],
    ['has just ended, in winter', '2026-12-31', '2026-12-31T23:00:00Z', false],
    ['ended long ago', '2020-01-31', '2026-07-31T12:00:00Z', false],
  ])('is active or inactive as expected when its contract %s', (_what, contractEnd, now, isActive) => {
    expect(isGatewayActive({ enabled: true, contractEnd }, new Date(now))).toBe(isActive);
  });

  it('is active without a valid date when its contract has no end', () => {
    expect(isGatewayActive({ enabled: true, contractEnd: null }, new Date(NaN))).toBe(true);
  });

  it('reports why it is inactive', () => {
    const now = new Date('2026-07-31T12:00:00Z');
    expect(inactiveReason({ enabled: false, contractEnd: null }, now)).toBe('it is disabled');
    expect(inactiveReason({ enabled: true, contractEnd: '2026-07-30' }, now)).toBe('its contract ended on 2026-07-30');
    expect(inactiveReason({ enabled: true, contractEnd: '2026-07-31' }, now)).toBeNull();
  });
});

describe('gateway names', () => {
  it.each(['a', 'agence-du-port', 'Agence_2', '-', '0'])('can be %s', (name) => {
    expect(SLUG_PATTERN.test(name)).toBe(true);
  });

  it.each(['', 'a b', ' a', 'a/', 'é', 'a.b', 'a\n'])('cannot be %j', (name) => {
    expect(SLUG_PATTERN.test(name)).toBe(false);
  });

  it("are shown with the connector's code when the connector is no longer registered", () => {
    expect(unregisteredConnector('old')).toEqual({ id: 'old', label: 'old', type: 'unknown', notes: '' });
  });
});
