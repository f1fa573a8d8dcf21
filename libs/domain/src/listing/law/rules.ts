import type { EnergyFigure } from '../energy/figure';
import type { EnergyQuantity } from '../energy/scales';
import type { Listing } from '../listing';

/** What the rules read: a listing without its photos, which may still be files. */
export type Advert = Omit<Listing, 'photos'>;

/** What an advert of one country must say. `docs/legal.md` names the text of each rule. */
export interface CountryRules {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** The language of its sentences, ISO 639-1, where the rule does not say another. */
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
  /** Whether the advert says everything that the duty asks for. */
  isMet(advert: Advert): boolean;
  /** The sentence, where the law wants one and its facts are known: an advert that has it meets the duty. */
  sentence?(advert: Advert): string | undefined;
  /** Of the sentence, in countries of several languages. */
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

/** What energy is used in: neither land nor a parking space. */
export function isBuilding({ typeCode }: Advert): boolean {
  return BUILDINGS.has(typeCode);
}

export function isSale({ typeTransaction }: Advert): boolean {
  return typeTransaction === 'vente';
}

/** A let that is no holiday's. */
export function isLet({ typeTransaction }: Advert): boolean {
  return typeTransaction === 'location';
}

/** A sale, or a let that is no holiday's. */
export function isSaleOrLet(advert: Advert): boolean {
  return isSale(advert) || isLet(advert);
}

/** The one that carries the class, where a certificate has several of one quantity. */
export function figureOf({ energie = [] }: Advert, grandeur: EnergyQuantity): EnergyFigure | undefined {
  const all = energie.filter((figure) => figure.grandeur === grandeur);
  return all.find(({ classe }) => classe !== undefined) ?? all[0];
}

/** The value of a figure with its unit as a country writes it, by the units that its sentence may have. Nothing in any other. */
export function measured(
  figure: EnergyFigure | undefined,
  figures: Intl.NumberFormat,
  units: Readonly<Record<string, string>>,
): string | undefined {
  const unit = units[figure?.unite ?? ''];
  return figure?.valeur === undefined || unit === undefined ? undefined : `${figures.format(figure.valeur)}${unit}`;
}

/** Whether the certificate says that there need be none, or that it is under way. */
export function hasEnergyState({ energie }: Advert): boolean {
  return energie?.some(({ statut }) => statut !== undefined) === true;
}

/** Whether the certificate says that there need be none. One that is under way does not count. */
export function isExempt({ energie }: Advert): boolean {
  return energie?.some(({ statut }) => statut === 'non-soumis') === true;
}

/** Amounts as people write them: no decimals or two. */
export function amountsIn(locale: string, currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });
}

const inEuros = amountsIn('fr-FR', 'EUR');

/** As a French sentence has it: `1 450,50 €`. */
export function euros(amount: number): string {
  return inEuros.format(amount);
}

/** A duty that is its sentence: it is met where all facts are known, or where `otherwise` says so. */
export function saying(
  rule: Omit<DutyRule, 'isMet' | 'sentence'> & Required<Pick<DutyRule, 'sentence'>>,
  otherwise: (advert: Advert) => boolean = () => false,
): DutyRule {
  return { ...rule, isMet: (advert) => rule.sentence(advert) !== undefined || otherwise(advert) };
}
