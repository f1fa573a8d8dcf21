import type { SearchRow } from '@passerelle/database';
import { folded, type SearchedFields, type Term, TERM_BYTES } from '@passerelle/domain';
import { pinTextOf } from './pin';

/** A term is so many integers. Found out once: what another file exports takes longer to look up than to compare. */
const INTEGERS = TERM_BYTES / Int32Array.BYTES_PER_ELEMENT;
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
  private readonly words: Int32Array;
  private madePin: string | undefined;

  constructor({ versionId, fields, words }: SearchRow) {
    this.versionId = versionId;
    this.fields = JSON.parse(fields) as SearchedFields;
    const { ville, dateModification, dateCreation, langues } = this.fields;
    this.town = ville === undefined ? undefined : folded(ville);
    this.dateMs = Date.parse(dateModification ?? dateCreation ?? '') || undefined;
    this.languages = langues.join();
    // As the machine has its integers; the products' machines have them little-endian.
    this.words = new Int32Array(words.buffer, words.byteOffset, words.length / Int32Array.BYTES_PER_ELEMENT);
    this.size = BYTES_BESIDE + fields.length * 2 + words.length;
  }

  /** What a map shows of it, as JSON; empty where its position is not said. Made once: maps ask for all of a result. */
  get pin(): string {
    this.madePin ??= pinTextOf(this.fields);
    return this.madePin;
  }

  hasOneOf(terms: readonly Term[]): boolean {
    const { words } = this;
    for (let at = 0; at < words.length; at += INTEGERS) {
      for (const { low, high } of terms) if (words[at] === low && words[at + 1] === high) return true;
    }
    return false;
  }
}
