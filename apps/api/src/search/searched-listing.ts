import type { SearchRow } from '@passerelle/database';
import { folded, type SearchedFields, searchedFieldsOf, type Term, TERM_BYTES } from '@passerelle/domain';
import { pinTextOf } from './pin';

/** A term is so many numbers of 16 bits. Found out once: what another file exports takes longer to look up than to compare. */
const HALVES = TERM_BYTES.both / Uint16Array.BYTES_PER_ELEMENT;
/** Memory that a listing takes beside its texts. */
const BYTES_BESIDE = 850;

/** What a listing is found by, in memory. */
export class SearchedListing {
  readonly versionId: number;
  readonly fields: SearchedFields;
  /** Its town in small letters without accents. */
  readonly town: string | undefined;
  /** When the CRM last changed it, else made it, in ms; undefined where neither is known. */
  readonly dateMs: number | undefined;
  /** Its languages, to be compared. */
  readonly languages: string;
  /** In bytes, about. */
  readonly size: number;
  /** By 16 bits: two of the lower part of each of its terms, then the higher part of each. */
  private readonly words: Uint16Array;
  private madePin: string | undefined;

  constructor({ versionId, fields, words }: SearchRow) {
    this.versionId = versionId;
    this.fields = searchedFieldsOf(fields);
    const { ville, dateModification, dateCreation, langues } = this.fields;
    this.town = ville === undefined ? undefined : folded(ville);
    this.dateMs = Date.parse(dateModification ?? dateCreation ?? '') || undefined;
    this.languages = langues.join();
    // As the machine has its integers; the products' machines have them little-endian.
    this.words = new Uint16Array(words.buffer, words.byteOffset, words.length / Uint16Array.BYTES_PER_ELEMENT);
    this.size = BYTES_BESIDE + fields.length * 2 + words.length;
  }

  /** What a map shows of it, as JSON; empty where its position is not said. Made once: maps ask for all of a result. */
  get pin(): string {
    this.madePin ??= pinTextOf(this.fields);
    return this.madePin;
  }

  hasOneOf(terms: readonly Term[]): boolean {
    const { words } = this;
    const count = words.length / HALVES;
    for (let at = 0; at < count; at += 1) {
      const its = words[2 * at]! | (words[2 * at + 1]! << 16);
      for (const { low, high } of terms) if (its === low && words[2 * count + at] === high) return true;
    }
    return false;
  }
}
