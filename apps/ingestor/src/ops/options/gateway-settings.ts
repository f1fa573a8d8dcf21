import type { Connector } from '@passerelle/connectors';
import { DEFAULT_THRESHOLDS } from '@passerelle/domain';
import { WrongUse } from '../failures';
import { type KnownNames, parseNamedValues } from './named-values';

const SHARES: KnownNames = {
  'max-vanished-share': `hold a run when more than this share of the listings would vanish (${DEFAULT_THRESHOLDS.maxVanishedShare})`,
  'max-replaced-share': `hold a run when more than this share is new and as much is gone (${DEFAULT_THRESHOLDS.maxReplacedShare})`,
  'max-fill-drop': `hold a run when a core field's fill rate falls by this share (${DEFAULT_THRESHOLDS.maxFillDrop})`,
};
const COUNTS: KnownNames = {
  'max-vanished-count': `… and they are more than this many (${DEFAULT_THRESHOLDS.maxVanishedCount})`,
};

const RATES: KnownNames = {
  'requests-per-second': 'requests to the source, over all gateways of its host and all processes',
  'requests-per-day': 'requests to the source, over all gateways of its host, by the calendar of UTC',
};
const NAMES: KnownNames = {
  'ignore-declared-count': 'yes: publishes a feed that declares another number of records than it has',
  account: 'counts requests-per-day apart from the other accounts of the host',
};

/** The settings that every gateway has: how much change the publish gate lets through, how much its source bears. */
export const GATE_SETTINGS: KnownNames = { ...SHARES, ...COUNTS, ...RATES, ...NAMES };

/** Everything that `--set` understands for a gateway of this connector. */
function settingsOf(connector: Pick<Connector, 'settings'>): KnownNames {
  return { ...connector.settings, ...GATE_SETTINGS };
}

/** @throws WrongUse */
export function parseSettings(
  texts: readonly string[],
  connector: Pick<Connector, 'settings'>,
): Record<string, string> {
  const settings = parseNamedValues('--set', texts, settingsOf(connector));
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, parseGateSetting(name, value)]));
}

function parseGateSetting(name: string, value: string): string {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (Object.hasOwn(SHARES, name)) {
    if (number >= 0 && number <= 1) return String(number);
    throw new WrongUse(`--set ${name} takes a share from 0 to 1, such as 0.2, not "${value}"`);
  }
  if (Object.hasOwn(COUNTS, name)) {
    if (Number.isSafeInteger(number)) return String(number);
    throw new WrongUse(`--set ${name} takes a whole number from 0, not "${value}"`);
  }
  if (Object.hasOwn(RATES, name)) {
    if (number > 0) return String(number);
    throw new WrongUse(`--set ${name} takes a number above 0, not "${value}"`);
  }
  return value;
}
