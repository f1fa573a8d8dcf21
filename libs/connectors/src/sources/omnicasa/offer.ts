import type { Listing, RentPeriod } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice, readSalePrice, rentFor } from '../../kit/price';
import { scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { showsPrice } from './display';
import { GOALS } from './lookups';
import { said } from './said';

export type Offer = Pick<
  Listing,
  'typeTransaction' | 'prix' | 'prixSurDemande' | 'prixMetreCarre' | 'loyer' | 'loyerPeriode' | 'loyerSource'
>;

const PER_AREA = /m\s?[²2]|\b(?:qm|sqm)\b|m[èe]tres? carr|vierkante|square met|quadratmet/i;
const PERIODS: readonly (readonly [RegExp, RentPeriod])[] = [
  [/semaine|week|woche|hebdo|wöchent|semana/i, 'semaine'],
  [/trim(?:estr|\.)|kwartaal|quarter|quartal/i, 'trimestre'],
  [/\bans?\b|ann[ée]e|ann?u[ae]l|jaar|year|jahr|jähr|a[ñn]o\b|\bp\.?\s?a\b/i, 'an'],
  [/mois|maand|month|monat/i, 'mois'],
  [/jour|dag|day|tag|nuit|nacht|night/i, 'jour'],
];

/** Rents per season or weekend, whose length is unknown. */
const NO_PERIOD = /saison|season|seizoen|temporada|week-?\s?end/i;

/** `PriceUnitText` is the unit of an amount: an amount per square metre is no price. */
export function readOffer(record: JsonRecord, context: RecordContext): Offer {
  const goal = textOf(record['Goal']);
  const typeTransaction = goal === undefined ? undefined : (lookUp(GOALS, goal, 'Goal', context) ?? 'autre');
  const offer: Offer = { ...(typeTransaction !== undefined && { typeTransaction }) };
  if (!showsPrice(record)) return { ...offer, prixSurDemande: true };
  const amount = scalarOf(record['Price']);
  const unit = said(record, 'PriceUnitText') ?? '';
  if (typeTransaction === 'location' && (PER_AREA.test(unit) || NO_PERIOD.test(unit))) {
    context.warn('implausible_value', 'PriceUnitText', unit.slice(0, 120));
    return offer;
  }
  if (PER_AREA.test(unit)) {
    const perArea = readPrice(amount, 'Price', context);
    return perArea === undefined ? offer : { ...offer, prixMetreCarre: perArea };
  }
  if (typeTransaction === 'location') {
    const rent = readPrice(amount, 'Price', context);
    const period = PERIODS.find(([words]) => words.test(unit))?.[1] ?? 'mois';
    if (rent !== undefined) return { ...offer, ...rentFor(period, rent) };
  } else {
    const price = (typeTransaction === 'vente' ? readSalePrice : readPrice)(amount, 'Price', context);
    if (price !== undefined) return { ...offer, prix: price };
  }
  return isDoubtful(amount, context) ? offer : { ...offer, prixSurDemande: true };
}
