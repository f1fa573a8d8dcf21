import type { NumberStyle, SeparatorMeaning } from './clean/number';
import type { RecordContext } from './contracts';
import { scalarOf } from './values';

/** The two sorts of numbers whose style is learned from a feed: a program often writes them differently. */
export type NumberSort = 'amounts' | 'areas';

/** The learned styles, by sort. A sort is missing when its style is unknown or not needed. */
export type LearnedStyles = Readonly<Partial<Record<NumberSort, NumberStyle>>>;

export const NUMBERS = 'numbers';

/**
 * How the feed writes these numbers, as learned from its records. `fixed` is the style that the format prescribes; it
 * has priority.
 */
export function styleOf(context: RecordContext, sort: NumberSort, fixed?: NumberStyle): NumberStyle {
  // In formats without a number survey, areas are computed values without thousands separators.
  if (sort === 'areas' && !(NUMBERS in context.feed))
    return fixed === undefined ? FRACTIONS : { ...FRACTIONS, ...fixed };
  const learned = (context.feed[NUMBERS] as LearnedStyles | undefined)?.[sort];
  return learned === undefined ? (fixed ?? NONE) : { ...learned, ...fixed };
}

const NONE: NumberStyle = {};
const FRACTIONS: NumberStyle = { point: 'fraction', comma: 'fraction' };
/** A number within a text. Wrong decoding may have turned its blanks into any non-ASCII characters. */
const DIGITS = /\d[\d\s.,'’\u0080-\u00ff]*/;
const LONGEST = 60;

interface Uses {
  /** `235.000`: the meaning of its separator is unknown. */
  ambiguous: boolean;
  /** `1.235.000`, `235.000,00` */
  thousands: boolean;
  /** `650.50`, `0.125` */
  fraction: boolean;
  /** `1235.000`: fractions of three digits are usual in this feed. */
  thousandths: boolean;
}

/** Collects how the numbers of one sort are written. */
export class NumberEvidence {
  private readonly point: Uses = { ambiguous: false, thousands: false, fraction: false, thousandths: false };
  private readonly comma: Uses = { ...this.point };

  note(value: unknown): void {
    const written = scalarOf(value);
    if (typeof written !== 'string' || written.length > LONGEST || !/[.,]/.test(written)) return;
    const digits = DIGITS.exec(written)?.[0].replace(/[^\d.,]/g, '') ?? '';
    const separators = digits.replace(/\d/g, '');
    if (/[.,]$/.test(digits) || separators === '') {
      // `1.750.-` has no decimals, so its first separator is one for thousands.
      if (/^\d{1,3}(?:[.,]\d{3})+[.,]$/.test(digits)) this.usesOf(separators).thousands = true;
      return;
    }
    if (separators.length === 1) this.noteOne(digits, separators);
    else this.noteSeveral(digits, separators);
  }

  styleFor(sort: NumberSort): NumberStyle {
    const point = meaningOf(this.point, this.comma, sort);
    const comma = meaningOf(this.comma, this.point, sort);
    return {
      ...(this.point.ambiguous && point !== undefined ? { point } : {}),
      ...(this.comma.ambiguous && comma !== undefined ? { comma } : {}),
    };
  }

  /** Separators that are ambiguous in these numbers, and whose meaning these numbers do not show. */
  openQuestions(): readonly ('point' | 'comma')[] {
    return (['point', 'comma'] as const).filter((name) => {
      const uses = name === 'point' ? this.point : this.comma;
      return uses.ambiguous && !uses.fraction && !uses.thousandths && !uses.thousands;
    });
  }

  /** Whether the separator separates thousands, as far as these numbers show. */
  groupsBy(name: 'point' | 'comma'): boolean {
    const [own, other] = name === 'point' ? [this.point, this.comma] : [this.comma, this.point];
    return meaningOf(own, other, 'amounts') === 'thousands';
  }

  private usesOf(separator: string): Uses {
    return separator.startsWith('.') ? this.point : this.comma;
  }

  private noteOne(digits: string, separator: string): void {
    const uses = this.usesOf(separator);
    const [whole = '', fraction = ''] = digits.split(separator);
    if (fraction.length !== 3 || whole.startsWith('0')) uses.fraction = true;
    else if (whole.length > 3) uses.thousandths = true;
    else uses.ambiguous = true;
  }

  private noteSeveral(digits: string, separators: string): void {
    const last = separators.at(-1) ?? '';
    const first = separators[0] ?? '';
    const isAlike = first === last;
    const whole = isAlike ? digits : digits.slice(0, digits.lastIndexOf(last));
    // Dates, times and versions have points too.
    if (!/^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)) return;
    this.usesOf(first).thousands = true;
    if (!isAlike) this.usesOf(last).fraction = true;
  }
}

function meaningOf(own: Uses, other: Uses, sort: NumberSort): SeparatorMeaning | undefined {
  if (own.thousands) return own.thousandths ? undefined : 'thousands';
  if (own.thousandths) return 'decimal';
  // Areas may be computed values with three decimals; a price of 1.255 is not realistic.
  if (own.fraction) return sort === 'areas' ? 'fraction' : undefined;
  return other.fraction || other.thousandths ? 'thousands' : undefined;
}

/** If a separator stays ambiguous in areas, and amounts use it for thousands, areas use it for thousands too. */
export function learnedStyles(amounts: NumberEvidence, areas: NumberEvidence): LearnedStyles | undefined {
  const borrowed = Object.fromEntries(
    areas
      .openQuestions()
      .filter((name) => amounts.groupsBy(name))
      .map((name) => [name, 'thousands']),
  );
  const learned = { amounts: amounts.styleFor('amounts'), areas: { ...borrowed, ...areas.styleFor('areas') } };
  const said = Object.entries(learned).filter(([, style]) => Object.keys(style).length > 0);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}
