import type { SearchRow } from '@passerelle/database';
import { folded, momentMs, type SearchedFields, searchedFieldsOf, type Term, TERM_BYTES } from '@passerelle/domain';

const SHOWN = ['prix', 'prixCurrency', 'loyer', 'loyerSource', 'typeTransaction', 'typeCode'] as const;

function coordinatesOf({ latitude, longitude }: SearchedFields): { latitude: number; longitude: number } | null {
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude };
}

/** The map marker of a listing, as JSON; empty if its position is unknown. */
function pinTextOf(fields: SearchedFields): string {
  const position = coordinatesOf(fields);
  if (position === null) return '';
  const known = SHOWN.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]] as const]));
  return JSON.stringify({ affId: fields.affId, ...position, ...Object.fromEntries(known) });
}

/** The 16-bit values of a term. A local constant: an imported value takes longer to look up than to compare. */
const HALVES = TERM_BYTES.both / Uint16Array.BYTES_PER_ELEMENT;
/** The memory of a listing in addition to its texts. */
const BYTES_BESIDE = 850;

export class SearchedListing {
  readonly versionId: number;
  readonly fields: SearchedFields;
  /** Its town in lower case without accents. */
  readonly town: string | undefined;
  /** When the CRM last changed the listing, else when it created the listing, in ms; undefined if neither is known. */
  readonly dateMs: number | undefined;
  /** Its languages, for comparison. */
  readonly languages: string;
  /** The approximate size in bytes. */
  readonly size: number;
  /** Terms as 16-bit values: first two values per term (its lower part), then one per term (its higher part). */
  private readonly words: Uint16Array;
  private madePin: string | undefined;

  constructor({ versionId, fields, words }: SearchRow) {
    this.versionId = versionId;
    this.fields = searchedFieldsOf(fields);
    const { ville, dateModification, dateCreation, langues } = this.fields;
    this.town = ville === undefined ? undefined : folded(ville);
    this.dateMs = momentMs(dateModification ?? dateCreation);
    this.languages = langues.join();
    // The values are in the machine's byte order; the product only supports little-endian machines.
    this.words = new Uint16Array(words.buffer, words.byteOffset, words.length / Uint16Array.BYTES_PER_ELEMENT);
    this.size = BYTES_BESIDE + fields.length * 2 + words.length;
  }

  /** Its map marker, as JSON; empty if its position is unknown. Made once: maps request all markers of a result. */
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
