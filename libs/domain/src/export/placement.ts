import { type TypeCode, TYPES_CODE, TYPES_TRANSACTION, type TypeTransaction } from '../listing/vocabulary';

/**
 * `waiting`: not sent yet, or not to be sent; the reason says why. `sent`: the portal has it; `accepted`: the portal will
 * publish it. `delivered`: the last state where a portal acknowledges nothing. `refused`: the portal does not take this
 * version. `removing`: the removal was sent. `removed`: the portal does not have it any more.
 */
export const PUBLICATION_STATES = [
  ...(['waiting', 'sent', 'accepted', 'online', 'delivered'] as const),
  ...(['refused', 'removing', 'removed'] as const),
] as const;
export type PublicationState = (typeof PUBLICATION_STATES)[number];

/** Why a listing is not at the portal. */
export const PUBLICATION_REASONS = [
  ...(['rule', 'limit', 'embargo', 'not-ready', 'withdrawn', 'absent'] as const),
  ...(['contract', 'placement', 'refused', 'gone'] as const),
] as const;
export type PublicationReason = (typeof PUBLICATION_REASONS)[number];

/** The id of an advert: the listing's `affId`, the CRM's reference, or an entry of the placement's table. */
export const ID_SCHEMES = ['own', 'reference', 'table'] as const;
export type IdScheme = (typeof ID_SCHEMES)[number];

/** Which listings go first when a placement has a maximum: the feed's order, the highest prices, or the newest. */
export const RULE_PRIORITIES = ['order', 'price', 'newest'] as const;

/** The listings that a placement exports. An absent member does not restrict them. */
export interface PlacementRule {
  transactions?: readonly TypeTransaction[];
  types?: readonly TypeCode[];
  /** In the currency of the listing; for rentals the rent per month. */
  minPrice?: number;
  maxPrice?: number;
  /** One of the listing's features, in any case. */
  label?: string;
  /** `affId`s. */
  ids?: readonly string[];
  /** The most adverts at the same time. */
  most?: number;
  priority?: (typeof RULE_PRIORITIES)[number];
}

/** Longer embargos would outlast the changes from which the first listing is known. */
export const MAX_EMBARGO_HOURS = 30 * 24;
/** A contract's end takes adverts offline after this time, unless the placement keeps them. */
export const DAYS_AFTER_CONTRACT = 30;

/** Why an export waits for the decision of an operator. */
export interface ExportHold {
  code: string;
  /** One sentence. */
  message: string;
  /** Adverts at the portal, and how many of them would disappear. */
  total: number;
  removed: number;
}

/** The changes of the last export, or those that a dry run would make. */
export interface ExportCounts {
  ready: number;
  added: number;
  changed: number;
  removed: number;
  refused: number;
  waiting: number;
  /** Only of a dry run: why a real export would be held. */
  hold?: string;
}

export const EXPORT_RESULTS = ['sent', 'unchanged', 'held', 'dry-run', 'empty', 'unconfirmed'] as const;
export type ExportResult = (typeof EXPORT_RESULTS)[number];

/** Reads a rule from texts such as `--set rule-types=maison,appartement`. @throws RangeError with one sentence */
export function parsePlacementRule(texts: Readonly<Record<string, string>>): PlacementRule {
  const rule: { -readonly [K in keyof PlacementRule]: PlacementRule[K] } = {};
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') continue;
    switch (name) {
      case 'transactions':
        rule.transactions = words(name, text, TYPES_TRANSACTION);
        break;
      case 'types':
        rule.types = words(name, text, TYPES_CODE);
        break;
      case 'min-price':
        rule.minPrice = amount(name, text);
        break;
      case 'max-price':
        rule.maxPrice = amount(name, text);
        break;
      case 'label':
        rule.label = text;
        break;
      case 'ids':
        rule.ids = list(text);
        break;
      case 'most':
        rule.most = amount(name, text);
        if (!Number.isSafeInteger(rule.most) || rule.most < 1) throw new RangeError('most takes a whole number from 1');
        break;
      case 'priority':
        rule.priority = words(name, text, RULE_PRIORITIES)[0]!;
        break;
      default:
        throw new RangeError(`a rule has no "${name}": it has ${RULE_NAMES.join(', ')}`);
    }
  }
  return rule;
}

export const RULE_NAMES = [
  'transactions',
  'types',
  'min-price',
  'max-price',
  'label',
  'ids',
  'most',
  'priority',
] as const;

function list(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function words<W extends string>(name: string, text: string, known: readonly W[]): W[] {
  return list(text).map((word) => {
    const found = known.find((one) => one === word);
    if (found === undefined) throw new RangeError(`${name} takes ${known.join(', ')}, not "${word}"`);
    return found;
  });
}

function amount(name: string, text: string): number {
  const value = /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(value)) throw new RangeError(`${name} takes a number, not "${text}"`);
  return value;
}
