import type { EnergyFigure } from './energy/figure';
import type { RentPeriod } from './vocabulary';

/** What a value of each kind is. A zero means "unknown" in no kind: an unknown value is an absent field. */
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
  /** ISO 8601, with its time where the feed gives one. */
  date: string;
  number: number;
  integer: number;
  /** In the currency that `prixCurrency` names. */
  amount: number;
  flag: boolean;
  photos: Photo[];
  /** By language, ISO 639-1. */
  texts: Record<string, LanguageTexts>;
  /** Plain texts, none empty, none twice. */
  words: string[];
  range: Range;
  /** In the currency that `prixCurrency` names. */
  periodic: PeriodicAmount;
  links: Link[];
  energy: EnergyFigure[];
  mentions: Mention[];
  facts: MaterialFact[];
}

/** A listing's texts in one language: plain text, one of them at least. */
export interface LanguageTexts {
  intitule?: string;
  commentaires?: string;
}

/** One photo of a listing, in the feed's order. */
export interface Photo {
  url: string;
  legende?: string;
  /** In pixels, as a viewer sees it. */
  largeur?: number;
  hauteur?: number;
  /** Changes when the photo changes and only then: a signed URL that is renewed keeps its fingerprint. */
  empreinte: string;
}

/** From the least to the most, one of them at least. */
export interface Range {
  min?: number;
  max?: number;
}

/** An amount that is paid again and again, as the source says it. */
export interface PeriodicAmount {
  montant: number;
  /** Absent where the source does not say it. */
  periode?: RentPeriod;
}

/** A document or a plan that the source gives to the public. */
export interface Link {
  url: string;
  titre?: string;
}

/** A sentence that the law of a country wants in an advert. */
export interface Mention {
  code: string;
  /** ISO 3166-1 alpha-2. */
  pays: string;
  /** Of `texte`, ISO 639-1. */
  langue: string;
  texte: string;
  /** The text of law, by its usual name. */
  source: string;
}

/** What a British advert says beside the rest, in the three parts of material information. */
export interface MaterialFact {
  partie: 'A' | 'B' | 'C';
  sujet: string;
  texte: string;
}
