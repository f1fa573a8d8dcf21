import type { PeriodicAmount, RentPeriod } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import type { RecordContext } from '../../kit/contracts';
import { readPrice } from '../../kit/price';
import { compilePath, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { DEPOSIT_TYPES, ON_APPLICATION, PERIODS } from './lookups';
import { FIGURES } from './offer';

/** The comment beside a ground rent or service charge is free text; only these words name a period of the amount. */
const YEARLY = /\b(?:per annum|p\.?a\b|annually|a year|per year|yearly)/i;
const MONTHLY = /\b(?:per month|p\.?c\.?m\b|monthly|a month)/i;

/** `groundRent` or `serviceCharge`. The model has no period: without one in the comment the amount is absent. */
export function charge(name: 'groundRent' | 'serviceCharge'): v.Verb<JsonRecord, PeriodicAmount> {
  const comment = `${name}Comment`;
  const amount = v.money(name, FIGURES);
  return v.computed(
    (record: JsonRecord, context: RecordContext) => {
      const montant = amount.read(record, context);
      if (montant === undefined) return undefined;
      const said = textOf(record[comment]) ?? '';
      const periode: RentPeriod | undefined = YEARLY.test(said) ? 'an' : MONTHLY.test(said) ? 'mois' : undefined;
      if (periode !== undefined) return { montant, periode };
      context.warn('implausible_value', name, `${String(montant)}: no period`);
      return undefined;
    },
    name,
    comment,
  );
}

const at = {
  deposit: compilePath('letting.deposit.amount'),
  type: compilePath('letting.deposit.type'),
  rent: compilePath('letting.rent'),
  qualifier: compilePath('letting.qualifier'),
  frequency: compilePath('letting.rentFrequency'),
};
const count = v.decimal('letting.deposit.amount', FIGURES);
const RENTS_A_YEAR: Readonly<Record<RentPeriod, number>> = {
  ...{ jour: 365, semaine: 52, quinzaine: 26, mois: 12, trimestre: 4, semestre: 2, an: 1 },
};
const LONGEST: Readonly<Record<'weeks' | 'months', number>> = { weeks: 60, months: 12 };

/** An amount, or a number of weeks or months of rent: British law counts 52 weeks in a year. */
export const depositOf = v.computed(
  (record: JsonRecord, context: RecordContext): number | undefined => {
    // The deposit reveals the rent.
    if (ON_APPLICATION.find(textOf(at.qualifier(record)) ?? '') === true) return undefined;
    const type = lookUp(DEPOSIT_TYPES, textOf(at.type(record)), 'letting.deposit.type', context);
    if (type === 'fixed') return readPrice(at.deposit(record), 'letting.deposit.amount', context, FIGURES);
    const amount = count.read(record, context);
    if (amount === undefined || type === undefined) return undefined;
    const rent = readPrice(at.rent(record), 'letting.rent', context, FIGURES);
    const paidFor = PERIODS.find(textOf(at.frequency(record)) ?? '');
    if (rent === undefined || paidFor === undefined || amount > LONGEST[type]) {
      context.warn('implausible_value', 'letting.deposit.amount', `${String(amount)} ${type}`);
      return undefined;
    }
    return Math.round((rent * RENTS_A_YEAR[paidFor] * amount * 100) / (type === 'weeks' ? 52 : 12)) / 100;
  },
  'letting.deposit.type',
  'letting.deposit.amount',
  'letting.rent',
  'letting.rentFrequency',
  'letting.qualifier',
);
