import { mapWithinLimit, STOPPED } from '../engine/map/time-limit';
import type { TypeTransaction } from '@passerelle/domain';
import { type FeedDocument, type RecordContext, RecordError, type RecordFormat, type Slice } from '../kit/contracts';

/** How a format says that one record is several offers, such as a house for sale or to let. */
export interface SeveralOffers<R> {
  /** A quick test of a record's bytes: false if there can be only one offer. It may return true too often. */
  mayBeSeveral: (bytes: Buffer) => boolean;
  /**
   * The distinct offers in the order of the record. A record with one offer or none is handled like any other record.
   */
  offersOf: (record: R, context: RecordContext) => readonly TypeTransaction[];
}

const OFFER = '#offer';
/** Separates the bytes of a record from the offer that is appended to them: no record contains a zero byte. */
const MARK = '\0offer:';
const LONGEST_MARK = 64;

/** Passes on a record once per offer, each with its own hash. Only the first counts as a record of the source. */
export function severalOffers<R extends object>(
  format: RecordFormat<R>,
  { mayBeSeveral, offersOf }: SeveralOffers<R>,
): RecordFormat<R> {
  return {
    ...format,
    slice: (document) => slicesOf(document),
    parse(bytes, context) {
      const { record, offer } = unmarked(bytes);
      const parsed = format.parse(record, context);
      const named = offer ?? offersOf(parsed, context)[0];
      return named === undefined ? parsed : { ...parsed, [OFFER]: named };
    },
    toRaw(record, context) {
      const own = { ...record };
      Reflect.deleteProperty(own, OFFER);
      return format.toRaw(own, context);
    },
  };

  async function* slicesOf(document: FeedDocument): AsyncGenerator<Slice> {
    const feed: Record<string, unknown> = {};
    const context: RecordContext = { crm: '', settings: {}, feed, warn: () => undefined };
    for await (const slice of format.slice(document)) {
      yield slice;
      if (slice.kind === 'context' && slice.name.startsWith('#')) feed[slice.name] = slice.bytes.toString('latin1');
      if (slice.kind !== 'record' || !mayBeSeveral(slice.bytes)) continue;
      // If this takes too long, the mapping will reject the record.
      const offers = mapWithinLimit(slice.bytes.length, () => furtherOffers(slice.bytes, context));
      if (offers === STOPPED) continue;
      for (const offer of offers) {
        const bytes = Buffer.concat([slice.bytes, Buffer.from(`${MARK}${offer}`)]);
        yield { kind: 'record', bytes, line: slice.line, isFurtherOffer: true };
      }
    }
  }

  /** No further offers for a record that cannot be parsed, so that it is rejected only once. */
  function furtherOffers(bytes: Buffer, context: RecordContext): readonly string[] {
    try {
      return offersOf(format.parse(bytes, context), context).slice(1);
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

function unmarked(bytes: Buffer): { record: Buffer; offer?: TypeTransaction } {
  const at = bytes.lastIndexOf(MARK);
  if (at === -1 || bytes.length - at > LONGEST_MARK) return { record: bytes };
  return { record: bytes.subarray(0, at), offer: bytes.toString('latin1', at + MARK.length) as TypeTransaction };
}
