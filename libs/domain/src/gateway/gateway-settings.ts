import { DEFAULT_THRESHOLDS, type GateThresholds } from '../run/publish-gate';

export interface GatewaySettings {
  thresholds: GateThresholds;
  /** The maximum rate of requests to one host of the source; null when the connector decides. */
  requestsPerSecond: number | null;
  requestsPerDay: number | null;
  /** The minimum rate, in bytes per second, while a feed is fetched; null for the engine's default. */
  leastRate: number | null;
  /** Gateways with the same account share the daily limit of requests; '' is the default account. */
  account: string;
  /** Whether the number of records that the source declares is always wrong. */
  ignoresDeclaredCount: boolean;
}

interface SettingKind {
  /** Continues the error "--set NAME takes". */
  expects: string;
  accepts(value: number): boolean;
}

const SHARE: SettingKind = {
  expects: 'a share from 0 to 1, such as 0.2,',
  accepts: (value) => value >= 0 && value <= 1,
};
const COUNT: SettingKind = { expects: 'a whole number from 0,', accepts: Number.isSafeInteger };
const RATE: SettingKind = { expects: 'a number above 0,', accepts: (value) => value > 0 };

/** Keys are setting names. A setting without a kind is text. */
const DEFINITIONS: Readonly<Record<string, { meaning: string; kind?: SettingKind }>> = {
  'max-vanished-share': {
    meaning: `hold a run when more than this share of the listings would vanish (${DEFAULT_THRESHOLDS.maxVanishedShare})`,
    kind: SHARE,
  },
  'max-replaced-share': {
    meaning: `hold a run when more than this share is new and as much is gone (${DEFAULT_THRESHOLDS.maxReplacedShare})`,
    kind: SHARE,
  },
  'max-fill-drop': {
    meaning: `hold a run when a core field's fill rate falls by this share (${DEFAULT_THRESHOLDS.maxFillDrop})`,
    kind: SHARE,
  },
  'max-vanished-count': {
    meaning: `… and they are more than this many (${DEFAULT_THRESHOLDS.maxVanishedCount}), or more than half of at least 4`,
    kind: COUNT,
  },
  'requests-per-second': {
    meaning: 'requests to the source, over all gateways of its host and all processes',
    kind: RATE,
  },
  'requests-per-day': {
    meaning: 'requests to the source, over all gateways of its host, by the calendar of UTC',
    kind: RATE,
  },
  'least-rate': {
    meaning: 'bytes a second that the source must send over a minute, or the run fails (4096)',
    kind: COUNT,
  },
  'ignore-declared-count': {
    meaning: 'yes: publishes a feed whose declared number of records is wrong',
  },
  account: { meaning: 'counts requests-per-day apart from the other accounts of the host' },
};

export const GATEWAY_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([name, { meaning }]) => [name, meaning]),
);

/** Returns numbers in their shortest form. Values of other settings stay unchanged. @throws RangeError */
export function normalizeGatewaySetting(name: string, text: string): string {
  const kind = kindOf(name);
  if (kind === undefined) return text;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!kind.accepts(value)) throw new RangeError(`${name} takes ${kind.expects} not "${text}"`);
  return String(value);
}

/** A stored number that is invalid counts as not set; `normalizeGatewaySetting` rejects new invalid numbers. */
export function parseGatewaySettings(stored: Readonly<Record<string, string>>): GatewaySettings {
  const number = (name: string): number | null => {
    const value = Number(stored[name] ?? NaN);
    return kindOf(name)?.accepts(value) === true ? value : null;
  };
  return {
    thresholds: {
      maxVanishedShare: number('max-vanished-share') ?? DEFAULT_THRESHOLDS.maxVanishedShare,
      maxVanishedCount: number('max-vanished-count') ?? DEFAULT_THRESHOLDS.maxVanishedCount,
      maxReplacedShare: number('max-replaced-share') ?? DEFAULT_THRESHOLDS.maxReplacedShare,
      maxFillDrop: number('max-fill-drop') ?? DEFAULT_THRESHOLDS.maxFillDrop,
    },
    requestsPerSecond: number('requests-per-second'),
    requestsPerDay: number('requests-per-day'),
    leastRate: number('least-rate'),
    account: stored['account'] ?? '',
    ignoresDeclaredCount: /^(yes|y|oui|o|ja|si|true|on|1)$/i.test(stored['ignore-declared-count'] ?? ''),
  };
}

function kindOf(name: string): SettingKind | undefined {
  return Object.hasOwn(DEFINITIONS, name) ? DEFINITIONS[name]?.kind : undefined;
}
