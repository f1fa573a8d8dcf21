import type { EnergyFigure } from '../energy/figure';
import type { EnergyQuantity } from '../energy/scales';
import type { Listing } from '../listing';

/** The input of the rules: a listing without its photos, which may still be files. */
export type Advert = Omit<Listing, 'photos'>;

/** Legal duties of an advert of one country. `docs/legal.md` names the text of each rule. */
export interface CountryRules {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The language of its sentences, ISO 639-1, unless the rule names another. */
  language: string;
  rules: readonly DutyRule[];
}

/** One duty. */
export interface DutyRule {
  /** Begins with the country's code. */
  code: string;
  /** The text of law, by its usual name. */
  source: string;
  concerns(advert: Advert): boolean;
  /** Whether the advert contains everything that the duty requires. */
  isMet(advert: Advert): boolean;
  /** The sentence, when the law requires one and its facts are known: an advert with it meets the duty. */
  sentence?(advert: Advert): string | undefined;
  /** The language of the sentence, in countries of several languages. */
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

/** A property that uses energy: neither land nor a parking space. */
export function isBuilding({ typeCode }: Advert): boolean {
  return BUILDINGS.has(typeCode);
}

export function isSale({ typeTransaction }: Advert): boolean {
  return typeTransaction === 'vente';
}

/** A let other than a holiday let. */
export function isLet({ typeTransaction }: Advert): boolean {
  return typeTransaction === 'location';
}

/** A sale, or a let other than a holiday let. */
export function isSaleOrLet(advert: Advert): boolean {
  return isSale(advert) || isLet(advert);
}

/** The figure with the class, when a certificate has several of one quantity. */
export function figureOf({ energie = [] }: Advert, grandeur: EnergyQuantity): EnergyFigure | undefined {
  const all = energie.filter((figure) => figure.grandeur === grandeur);
  return all.find(({ classe }) => classe !== undefined) ?? all[0];
}

/**
 * The value of a figure with its unit as a country writes it, for the units that its sentence may have; else nothing.
 */
export function measured(
  figure: EnergyFigure | undefined,
  figures: Intl.NumberFormat,
  units: Readonly<Record<string, string>>,
): string | undefined {
  const unit = units[figure?.unite ?? ''];
  return figure?.valeur === undefined || unit === undefined ? undefined : `${figures.format(figure.valeur)}${unit}`;
}

/** Whether the certificate is declared unnecessary or is being made. */
export function hasEnergyState({ energie }: Advert): boolean {
  return energie?.some(({ statut }) => statut !== undefined) === true;
}

/** Whether the certificate is declared unnecessary. One that is being made does not count. */
export function isExempt({ energie }: Advert): boolean {
  return energie?.some(({ statut }) => statut === 'non-soumis') === true;
}

/** An amount with no decimals or two. */
export function amountsIn(locale: string, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
}

const inEuros = amountsIn('fr-FR', 'EUR');

/** In French form: `1 450,50 €`. */
export function euros(amount: number): string {
  return inEuros.format(amount);
}

/** A duty that consists of its sentence: it is met when all facts are known, or when `otherwise` says so. */
export function saying(
  rule: Omit<DutyRule, 'isMet' | 'sentence'> & Required<Pick<DutyRule, 'sentence'>>,
  otherwise: (advert: Advert) => boolean = () => false,
): DutyRule {
  return { ...rule, isMet: (advert) => rule.sentence(advert) !== undefined || otherwise(advert) };
}
