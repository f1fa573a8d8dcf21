import type { EnergyFigure } from './energy/figure';
import type { RentPeriod } from './vocabulary';

/** The kinds of values. Zero never means "unknown": an unknown value is an absent field. */
export interface KindValues {
  /** Plain text: no markup, no control characters. */
  text: string;
  /** One word of `values`. */
  word: string;
  /** ISO 639-1. */
  language: string;
  /** An http(s) address. */
  url: string;
  /** ISO 8601, the day only. */
  day: string;
  /** ISO 8601, with the time if the feed gives one. */
  date: string;
  number: number;
  integer: number;
  /** An amount in the currency of `prixCurrency`. */
  amount: number;
  flag: boolean;
  photos: Photo[];
  /** By language, ISO 639-1. */
  texts: Record<string, LanguageTexts>;
  /** Plain texts, not empty and without duplicates. */
  words: string[];
  range: Range;
  /** An amount in the currency of `prixCurrency`. */
  periodic: PeriodicAmount;
  links: Link[];
  energy: EnergyFigure[];
  mentions: Mention[];
  facts: MaterialFact[];
}

/** The texts of a listing in one language: plain texts, at least one of them. */
export interface LanguageTexts {
  intitule?: string;
  commentaires?: string;
}

export interface Photo {
  url: string;
  legende?: string;
  /** In pixels, after rotation. */
  largeur?: number;
  hauteur?: number;
  /** Changes if and only if the photo changes: a renewed signed URL does not change it. */
  empreinte: string;
}

/** From the lowest to the highest value; at least one of the two is set. */
export interface Range {
  min?: number;
  max?: number;
}

export interface PeriodicAmount {
  montant: number;
  periode?: RentPeriod;
}

export interface Link {
  url: string;
  titre?: string;
  /** Changes when the content changes and only then; absent in listings of earlier releases. */
  empreinte?: string;
}

/** A sentence that the law of a country requires in an advert. */
export interface Mention {
  code: string;
  /** ISO 3166-1 alpha-2. */
  pays: string;
  /** The language of `texte`, ISO 639-1. */
  langue: string;
  texte: string;
  /** The usual name of the law. */
  source: string;
}

/** A further fact of a British advert. `partie` is its part of material information. */
export interface MaterialFact {
  partie: 'A' | 'B' | 'C';
  sujet: string;
  texte: string;
}
