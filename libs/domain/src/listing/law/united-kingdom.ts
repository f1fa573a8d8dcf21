import type { PeriodicAmount } from '../kinds';
import {
  type Advert,
  amountsIn,
  type CountryRules,
  figureOf,
  hasEnergyState,
  isBuilding,
  isDwelling,
  isLet,
  isSale,
  isSaleOrLet,
  saying,
} from './rules';

const inFigures = new Intl.NumberFormat('en-GB');
const inPounds = amountsIn('en-GB', 'GBP');
const MATERIAL =
  'Material information, part A (National Trading Standards); Digital Markets, Competition and Consumers Act 2024, s. 227';

const PERIODS: Readonly<Record<NonNullable<PeriodicAmount['periode']>, string>> = {
  ...{ jour: 'day', semaine: 'week', quinzaine: 'fortnight', mois: 'month' },
  ...{ trimestre: 'quarter', semestre: 'half-year', an: 'year' },
};

function pounds(amount: number, { prixCurrency }: Advert): string | undefined {
  return prixCurrency === 'GBP' ? inPounds.format(amount) : undefined;
}

/** A clause about costs; empty when the period or the currency is unknown. */
function costs(what: string, cost: PeriodicAmount | undefined, advert: Advert): string {
  const amount = cost === undefined ? undefined : pounds(cost.montant, advert);
  if (amount === undefined || cost?.periode === undefined) return '';
  return `. ${what}: ${amount} a ${PERIODS[cost.periode]}`;
}

const energy = saying(
  {
    code: 'gb-epc',
    source: 'Energy Performance of Buildings (England and Wales) Regulations 2012, reg. 11',
    concerns: (advert) => isBuilding(advert) && isSaleOrLet(advert),
    sentence(advert) {
      const { classe, valeur } = figureOf(advert, 'note') ?? {};
      if (classe === undefined) return undefined;
      return `EPC rating: ${classe}${valeur === undefined ? '' : ` (${inFigures.format(valeur)})`}`;
    },
  },
  hasEnergyState,
);

const councilTax = saying({
  code: 'gb-council-tax',
  source: MATERIAL,
  concerns: (advert) => isDwelling(advert) && isSaleOrLet(advert),
  sentence: ({ bandeCouncilTax }) =>
    bandeCouncilTax === undefined ? undefined : `Council tax band: ${bandeCouncilTax}`,
});

/** For a lease, also states the remaining years, and ground rent and service charge if their periods are known. */
const tenure = saying({
  code: 'gb-tenure',
  source: MATERIAL,
  concerns: (advert) => isDwelling(advert) && isSale(advert),
  sentence(advert) {
    const { regimePropriete, bailAnnees, redevanceFonciere, chargesService } = advert;
    if (regimePropriete === undefined) return undefined;
    if (!/lease/i.test(regimePropriete)) return `Tenure: ${regimePropriete}`;
    if (bailAnnees === undefined) return undefined;
    return (
      `Tenure: ${regimePropriete}, ${inFigures.format(bailAnnees)} years remaining` +
      costs('Ground rent', redevanceFonciere, advert) +
      costs('Service charge', chargesService, advert)
    );
  },
});

const deposit = saying({
  code: 'gb-deposit',
  source: MATERIAL,
  concerns: (advert) => isDwelling(advert) && isLet(advert),
  sentence(advert) {
    const amount = advert.depotGarantie === undefined ? undefined : pounds(advert.depotGarantie, advert);
    return amount === undefined ? undefined : `Deposit: ${amount}`;
  },
});

/** Parts B and C of material information depend on the property, so listings have them as facts (`informations`). */
export const UNITED_KINGDOM: CountryRules = {
  country: 'GB',
  language: 'en',
  rules: [
    energy,
    councilTax,
    tenure,
    {
      code: 'gb-price',
      source: MATERIAL,
      concerns: (advert) => isDwelling(advert) && isSaleOrLet(advert),
      isMet: (advert) => (isSale(advert) ? advert.prix : advert.loyer) !== undefined,
    },
    deposit,
  ],
};
