import { plainLine } from '../kit/clean/plain-text';
import { textOf } from '../kit/scalar';

/** What `uebertragung` says of all records of a transfer. Its clock is left out: records would be new each time. */
export interface TransferSays {
  /** `modus="DELETE"`: every object of the transfer is to go. */
  isDeletion?: true;
  /** A word for `umfang` that the format does not have. */
  unknownUmfang?: string;
}

/** What `uebertragung` says of the mapping's records, and whether objects that it does not name are gone. */
export function readTransfer(element: unknown): { says: TransferSays; isWhole: boolean } {
  const attributes = attributesOf(element);
  const umfang = textOf(attributes.get('@umfang'))?.toUpperCase() ?? 'VOLL';
  const isDeletion = textOf(attributes.get('@modus'))?.toUpperCase() === 'DELETE';
  return {
    says: {
      ...(isDeletion && { isDeletion }),
      ...(umfang !== 'VOLL' && umfang !== 'TEIL' && { unknownUmfang: umfang.slice(0, 40) }),
    },
    isWhole: umfang === 'VOLL' && !isDeletion,
  };
}

/** An agency's `openimmo_anid` in one spelling: exports write the same one with blanks around it, or in another case. */
export function agencyKey(anid: string | undefined): string | undefined {
  return plainLine(anid ?? '')?.toUpperCase();
}

/** By lower-case name: exports write them in any case. */
function attributesOf(element: unknown): ReadonlyMap<string, unknown> {
  const entries = Object.entries((element ?? {}) as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
