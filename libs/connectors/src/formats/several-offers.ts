import { mapWithinLimit, STOPPED } from '../engine/map/time-limit';
import type { TypeTransaction } from '@passerelle/domain';
import { type FeedDocument, type RecordContext, RecordError, type RecordFormat, type Slice } from '../kit/contracts';

/** How a format says that one record is several offers, such as a house for sale or to let. */
export interface SeveralOffers<R> {
  /** A quick test of a record's bytes: false if there can be only one offer. It may return true too often. */
  mayBeSeveral: (bytes: Buffer, context: RecordContext) => boolean;
  /** Elements outside the records that `mayBeSeveral` and `offersOf` read. */
  contextNames?: readonly string[];
  /**
   * The distinct offers. The first is the one that keeps the record's identifier, if the mapping uses `furtherOfferId`.
   * A record with one offer or none is handled like any other record.
   */
  offersOf: (record: R, context: RecordContext) => readonly TypeTransaction[];
}

// Symbols, because a JSON record may have a member with any name.
const OFFER = Symbol('offer');
const FURTHER = Symbol('further');
/** Separates the bytes of a record from the offer that is appended to them: no record contains a zero byte. */
const MARK = '\0offer:';
const LONGEST_MARK = 64;
const RENTALS: ReadonlySet<string> = new Set<TypeTransaction>(['location', 'location-saisonniere']);
const SALES: ReadonlySet<string> = new Set<TypeTransaction>([
  'vente',
  'enchere',
  'investissement',
  'fonds-de-commerce',
]);

/** Passes on a record once per offer, each with its own hash. Only the first counts as a record of the source. */
export function severalOffers<R extends object>(
  format: RecordFormat<R>,
  { mayBeSeveral, offersOf, contextNames = [] }: SeveralOffers<R>,
): RecordFormat<R> {
  return {
    ...format,
    slice: (document) => slicesOf(document),
    parse(bytes, context) {
      const { record, offer } = unmarked(bytes);
      const parsed = format.parse(record, context);
      const named = offer ?? offersOf(parsed, context)[0];
      // The record itself, not a copy: a format may remember more about it, such as the contents of its files.
      if (named !== undefined)
        Object.assign(parsed, offer === undefined ? { [OFFER]: named } : { [OFFER]: named, [FURTHER]: true });
      return parsed;
    },
    fromRaw(raw, affId, context) {
      const record = format.fromRaw?.(raw, affId, context) ?? (raw as R);
      const [first, ...further] = offersOf(record, context);
      const offer = further.find((one) => affId.endsWith(`-${one}`));
      return Object.assign(
        record,
        offer === undefined ? first !== undefined && { [OFFER]: first } : { [OFFER]: offer, [FURTHER]: true },
      );
    },
  };

  async function* slicesOf(document: FeedDocument): AsyncGenerator<Slice> {
    const feed: Record<string, unknown> = {};
    const context: RecordContext = { crm: '', settings: {}, feed, warn: () => undefined };
    for await (const slice of format.slice(document)) {
      if (slice.kind === 'context') remember(slice.name, slice.bytes, feed);
      if (slice.kind !== 'record' || !mayBeSeveral(slice.bytes, context)) {
        yield slice;
        continue;
      }
      // If this takes too long, the mapping will reject the record.
      const offers = mapWithinLimit(slice.bytes.length, () => offersIn(slice.bytes, context));
      const [first = '', ...further] = offers === STOPPED ? [] : offers;
      const slices = further.map((offer) => [offer, furtherSlice(slice, offer)] as const);
      // A sale comes before a rental, so that a reference that both have finds the sale.
      const isBefore = (offer: string): boolean => RENTALS.has(first) && SALES.has(offer);
      for (const [offer, one] of slices) if (isBefore(offer)) yield one;
      yield slice;
      for (const [offer, one] of slices) if (!isBefore(offer)) yield one;
    }
  }

  function furtherSlice({ bytes, line }: Extract<Slice, { kind: 'record' }>, offer: string): Slice {
    return {
      kind: 'record',
      bytes: Buffer.concat([bytes, Buffer.from(`${MARK}${offer}`)]),
      line,
      isFurtherOffer: true,
    };
  }

  function remember(name: string, bytes: Buffer, feed: Record<string, unknown>): void {
    if (name.startsWith('#')) feed[name] = bytes.toString('latin1');
    else if (contextNames.includes(name)) feed[name] = format.parseContext?.(name, bytes, feed);
  }

  /** No offers for a record that cannot be parsed, so that it is rejected only once. */
  function offersIn(bytes: Buffer, context: RecordContext): readonly string[] {
    try {
      return offersOf(format.parse(bytes, context), context);
    } catch (error) {
      if (error instanceof RecordError) return [];
      throw error;
    }
  }
}

export function offerOf(record: object): TypeTransaction | undefined {
  return (record as { readonly [OFFER]?: TypeTransaction })[OFFER];
}

/**
 * A sale keeps the record's identifier; other offers append their type, so that a rental keeps its identifier when a
 * sale is added.
 */
export function offerId(id: string | undefined, offer: TypeTransaction | undefined): string | undefined {
  return id === undefined || offer === undefined || offer === 'vente' ? id : `${id}-${offer}`;
}

/**
 * The first offer keeps the record's identifier, whatever its type is; a further one appends its type. For connectors
 * that served such a record as one listing before.
 */
export function furtherOfferId(id: string | undefined, record: object): string | undefined {
  const offer = isFurtherOffer(record) ? offerOf(record) : undefined;
  return id === undefined || offer === undefined ? id : `${id}-${offer}`;
}

export function isFurtherOffer(record: object): boolean {
  return FURTHER in record;
}

function unmarked(bytes: Buffer): { record: Buffer; offer?: TypeTransaction } {
  const at = bytes.lastIndexOf(MARK);
  if (at === -1 || bytes.length - at > LONGEST_MARK) return { record: bytes };
  return { record: bytes.subarray(0, at), offer: bytes.toString('latin1', at + MARK.length) as TypeTransaction };
}
