import { toLatin1 } from '../../kit/latin1';
import { cleanText, cutText, fittingId, withoutTags } from '../../kit/text';
import type { Version } from './lookups';

/** A line break inside a cell: the only markup that the format allows. */
const LINE_BREAK = '<BR>';

/** The cells of one advert by rank, counted from 1. */
export class Row {
  private readonly cells: string[];

  constructor(
    columns: number,
    private readonly encoding: 'utf-8' | 'latin1',
  ) {
    this.cells = new Array<string>(columns).fill('');
  }

  /** Writes a text of at most `most` characters; a rank that the version does not have is left out. */
  text(rank: number, value: string | undefined, most: number): void {
    if (value === undefined) return;
    const plain = withoutTags(cleanText(value)).replaceAll('"', "'").replaceAll('!#', '! #').replaceAll('\t', ' ');
    const known = this.encoding === 'latin1' ? toLatin1(plain) : plain;
    // Each line break takes four characters.
    this.set(rank, cutLines(known.trim(), most));
  }

  /** Writes a value that is only useful when it is whole: an address, a code, a number. */
  whole(rank: number, value: string | number | undefined, most: number): void {
    const text = value === undefined ? '' : String(value);
    if (text.length <= most && !/["\n\r]|!#/.test(text)) this.set(rank, text);
  }

  flag(rank: number, value: boolean | undefined): void {
    if (value !== undefined) this.set(rank, value ? 'OUI' : 'NON');
  }

  /** Writes "OUI", where the format has no way to say that something is unknown. */
  yes(rank: number, value: boolean | undefined): void {
    if (value === true) this.set(rank, 'OUI');
  }

  /** `"…"!#"…"`, without a line end. */
  line(): string {
    return `"${this.cells.join('"!#"')}"`;
  }

  private set(rank: number, cell: string): void {
    if (rank <= this.cells.length) this.cells[rank - 1] = cell;
  }
}

function cutLines(text: string, most: number): string {
  let cut = cutText(text, most);
  let written = cut.replaceAll('\n', LINE_BREAK);
  while (written.length > most) {
    cut = cutText(cut, cut.length - Math.max(1, Math.ceil((written.length - most) / LINE_BREAK.length)));
    written = cut.replaceAll('\n', LINE_BREAK);
  }
  return written;
}

/** Rank 328 is a year in 4.09, a date from 4.10 on. */
export function hasPriceDates(version: Version): boolean {
  return version !== '4.09';
}

const ID_LENGTH = 30;

/** The technical identifier, rank 175: it must not change during the listing's life. */
export function technicalId(advertId: string): string {
  return fittingId(advertId, ID_LENGTH);
}
