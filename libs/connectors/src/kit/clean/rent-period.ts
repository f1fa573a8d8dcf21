import type { RentPeriod } from '@passerelle/domain';

import { toCents } from './number';

/** How many of each make a month; a year has 365 days, 52 weeks, 12 months. */
const PER_MONTH: Readonly<Record<RentPeriod, number>> = {
  jour: 365 / 12,
  semaine: 52 / 12,
  quinzaine: 26 / 12,
  mois: 1,
  trimestre: 1 / 3,
  semestre: 1 / 6,
  an: 1 / 12,
};

/** What a rent for a period makes in a month, to the cent. */
export function toMonthlyRent(amount: number, period: RentPeriod): number {
  return period === 'mois' ? amount : toCents(amount * PER_MONTH[period]);
}
