import { plainLine } from '../kit/clean/plain-text';
import { textOf } from '../kit/scalar';

/** What `uebertragung` says of all records of a transfer. Its clock is left out: records would be new each time. */
export interface TransferSays {
  /** False where absent objects stay: `umfang` is not VOLL, or the transfer deletes. Without an `umfang` it is VOLL. */
  isWhole?: boolean;
  /** `modus="DELETE"`: every object of the transfer is to go. */
  isDeletion?: true;
  /** A word for `umfang` that the format does not have. */
  unknownUmfang?: string;
}

/** Reads the attributes of `uebertragung`, in any case. */
export function transferOf(element: unknown): TransferSays {
  const attributes = new Map(
    Object.entries((element ?? {}) as Record<string, unknown>).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const umfang = textOf(attributes.get('@umfang'))?.toUpperCase() ?? 'VOLL';
  const isDeletion = textOf(attributes.get('@modus'))?.toUpperCase() === 'DELETE';
  return {
    isWhole: umfang === 'VOLL' && !isDeletion,
    ...(isDeletion && { isDeletion }),
    ...(umfang !== 'VOLL' && umfang !== 'TEIL' && { unknownUmfang: umfang.slice(0, 40) }),
  };
}

/** An agency's `openimmo_anid` in one spelling: exports write the same one with blanks around it, or in another case. */
export function agencyKey(anid: string | undefined): string | undefined {
  return plainLine(anid ?? '')?.toUpperCase();
}
