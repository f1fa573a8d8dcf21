import type { EnergyFigure } from '../energy/figure';
import type { EnergyQuantity } from '../energy/scales';
import type { Listing } from '../listing';

/** The input of the rules: a listing without its photos, which may still be files. */
export type Advert = Omit<Listing, 'photos' | 'plans' | 'documents'>;

/** The legal duties of adverts in one country. `docs/legal.md` names the law behind each rule. */
export interface CountryRules {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The language of the country's sentences, ISO 639-1, unless a rule names another. */
  language: string;
  rules: readonly DutyRule[];
}

/** One duty. */
export interface DutyRule {
  /** Begins with the country's code. */
  code: string;
  /** The usual name of the law. */
  source: string;
  concerns(advert: Advert): boolean;
  isMet(advert: Advert): boolean;
  /** The sentence, when the law requires one and its facts are known. An advert with the sentence meets the duty. */
  sentence?(advert: Advert): string | undefined;
  language?(advert: Advert): string;
}

const DWELLINGS: ReadonlySet<string | undefined> = new Set([
  ...['appartement', 'maison', 'loft', 'chateau', 'hotel-particulier'],
]);

export function isDwelling({ typeCode }: Advert): boolean {
  return DWELLINGS.has(typeCode);
}

const BUILDINGS: ReadonlySet<string | undefined> = new Set([
  ...DWELLINGS,
  ...['immeuble', 'bureau', 'local', 'boutique'],
]);

/** Whether a property is a building that uses energy, so neither land nor a parking space. */
export function isBuilding({ typeCode }: Advert): boolean {
  return BUILDINGS.has(typeCode);
}

export function isSale({ typeTransaction }: Advert): boolean {
  return typeTransaction === 'vente';
}

/** Whether the advert is for a let, except a holiday let. */
export function isLet({ typeTransaction }: Advert): boolean {
  return typeTransaction === 'location';
}

/** Whether the advert is for a sale or a let, except a holiday let. */
export function isSaleOrLet(advert: Advert): boolean {
  return isSale(advert) || isLet(advert);
}

/** Finds the figure of a quantity; prefers a figure with a class. */
export function figureOf({ energie = [] }: Advert, grandeur: EnergyQuantity): EnergyFigure | undefined {
  const all = energie.filter((figure) => figure.grandeur === grandeur);
  return all.find(({ classe }) => classe !== undefined) ?? all[0];
}

/** @param units the country's spellings of units; empty for a unit that the sentence must not contain. */
export function measured(
  figure: EnergyFigure | undefined,
  figures: Intl.NumberFormat,
  units: Readonly<Record<string, string>>,
): string | undefined {
  const unit = units[figure?.unite ?? ''];
  return figure?.valeur === undefined || unit === undefined ? undefined : `${figures.format(figure.valeur)}${unit}`;
}

/** Whether the source says that a certificate is not required or is in preparation. */
export function hasEnergyState({ energie }: Advert): boolean {
  return energie?.some(({ statut }) => statut !== undefined) === true;
}

/** Whether the source says that a certificate is not required. A certificate in preparation does not count. */
export function isExempt({ energie }: Advert): boolean {
  return energie?.some(({ statut }) => statut === 'non-soumis') === true;
}

export function amountsIn(locale: string, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
}

const inEuros = amountsIn('fr-FR', 'EUR');

/** An amount in French form: `1 450,50 €`. */
export function euros(amount: number): string {
  return inEuros.format(amount);
}

/** Builds a duty that is met when its sentence can be built, or when `otherwise` returns true. */
export function saying(
  rule: Omit<DutyRule, 'isMet' | 'sentence'> & Required<Pick<DutyRule, 'sentence'>>,
  otherwise: (advert: Advert) => boolean = () => false,
): DutyRule {
  return { ...rule, isMet: (advert) => rule.sentence(advert) !== undefined || otherwise(advert) };
}
