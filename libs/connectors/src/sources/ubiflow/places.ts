import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import type { RecordContext } from '../../kit/contracts';
import { isDoubtful, readPrice } from '../../kit/price';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';

/** The first path with a value is used. Names occur in several blocks, so each path is complete. */
export interface Places {
  text(record: XmlRecord): string | undefined;
  /** Zero means no amount. Digits that are no number give a warning. */
  amount(record: XmlRecord, context: RecordContext): number | undefined;
  /** A value that is only partly readable gives a warning. `read` is `readPrice`, or `readSalePrice` for a sale. */
  price(record: XmlRecord, context: RecordContext, read?: typeof readPrice): number | undefined;
  isDoubtful(record: XmlRecord, context: RecordContext): boolean;
  flag(record: XmlRecord): boolean | undefined;
}

export function places(...paths: readonly string[]): Places {
  const reads = paths.map(compilePath);
  const decimal = v.firstOf(v.decimal, ...paths);
  const firstOf = <T>(record: XmlRecord, convert: (value: unknown) => T | undefined): T | undefined => {
    for (const read of reads) {
      const value = convert(read(record));
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    text: (record) => firstOf(record, textOf),
    amount: (record, context) => decimal.read(record, context),
    price(record, context, read = readPrice) {
      for (const [index, place] of reads.entries()) {
        const price = read(place(record), paths[index] ?? '', context);
        if (price !== undefined) return price;
      }
      return undefined;
    },
    isDoubtful: (record, context) => reads.some((place) => isDoubtful(place(record), context)),
    flag: (record) => firstOf(record, (value) => toFlag(scalarOf(value))),
  };
}

export function anywhere(name: string): Places {
  return places(name, `bien.${name}`, `prestation.${name}`);
}

/** Paths of a certificate field: in a block of `bien`, in a block of the advert (older feeds), or without a block. */
export function diagnostic(...names: readonly string[]): string[] {
  return names.flatMap((name) => DIAGNOSTIC_BLOCKS.map((block) => `${block}.${name}`));
}

/** `diagnostiques` is the spelling of the feed. */
export const DIAGNOSTIC_BLOCKS = ['bien.diagnostiques', 'bien.diagnostics', 'diagnostiques', 'diagnostics', 'bien'];
