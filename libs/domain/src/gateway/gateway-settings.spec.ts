import { DEFAULT_THRESHOLDS } from '../run/publish-gate';
import { GATEWAY_SETTINGS, normalizeGatewaySetting, parseGatewaySettings } from './gateway-settings';

describe('gateway settings', () => {
  it('have defaults', () => {
    expect(parseGatewaySettings({})).toEqual({
      thresholds: DEFAULT_THRESHOLDS,
      requestsPerSecond: null,
      requestsPerDay: null,
      leastRate: null,
      account: '',
      ignoresDeclaredCount: false,
    });
  });

  it('are read by name, even among settings of the connector', () => {
    const stored = {
      'max-vanished-share': '0.4',
      'max-vanished-count': '12',
      'max-replaced-share': '0.6',
      'max-fill-drop': '1',
      'requests-per-second': '0.5',
      'requests-per-day': '1000',
      'least-rate': '512',
      account: 'north',
      'ignore-declared-count': 'yes',
      langue: 'fr',
    };
    expect(parseGatewaySettings(stored)).toEqual({
      thresholds: { maxVanishedShare: 0.4, maxVanishedCount: 12, maxReplacedShare: 0.6, maxFillDrop: 1 },
      requestsPerSecond: 0.5,
      requestsPerDay: 1000,
      leastRate: 512,
      account: 'north',
      ignoresDeclaredCount: true,
    });
  });

  it.each(['max-vanished-share', 'max-vanished-count', 'requests-per-second'])(
    'use the default when %s is not a number',
    (name) => {
      expect(parseGatewaySettings({ [name]: 'many' })).toEqual(parseGatewaySettings({}));
    },
  );

  it('keep zero only in settings that allow zero', () => {
    const { thresholds, requestsPerDay } = parseGatewaySettings({ 'max-vanished-count': '0', 'requests-per-day': '0' });
    expect([thresholds.maxVanishedCount, requestsPerDay]).toEqual([0, null]);
  });

  it.each([
    ['max-vanished-share', '0.40', '0.4'],
    ['max-vanished-count', '010', '10'],
    ['account', ' North ', ' North '],
    ['langue', 'fr', 'fr'],
    ['toString', 'fr', 'fr'],
  ])('are normalized before they are stored: %s=%s', (name, text, stored) => {
    expect(normalizeGatewaySetting(name, text)).toBe(stored);
  });

  it.each([
    ['max-fill-drop', '20%', 'max-fill-drop takes a share from 0 to 1, such as 0.2, not "20%"'],
    ['max-vanished-count', '2.5', 'max-vanished-count takes a whole number from 0, not "2.5"'],
    ['requests-per-day', '0', 'requests-per-day takes a number above 0, not "0"'],
  ])('reject %s=%s', (name, text, message) => {
    expect(() => normalizeGatewaySetting(name, text)).toThrow(new RangeError(message));
  });

  it('each have a description for operators', () => {
    expect(Object.keys(GATEWAY_SETTINGS)).toHaveLength(9);
    expect(Object.values(GATEWAY_SETTINGS).every((meaning) => meaning.length > 20)).toBe(true);
  });
});
