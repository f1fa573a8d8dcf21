import { mapBriefly, STOPPED } from '../engine/map/time-limit';
import type { TypeTransaction } from '@passerelle/domain';
import { type FeedPart, type RecordContext, RecordError, type RecordFormat, type Slice } from '../kit/contracts';

/** How a format says that one record is several offers: a house that is for sale or to let. */
export interface SeveralOffers<R> {
  /** A quick look at a record's bytes: false where there can be but one. It may say true too often. */
  mayBeSeveral: (bytes: Buffer) => boolean;
  /** What is offered, each once, in the record's order. None or one is a record like any other. */
  offersOf: (record: R, context: RecordContext) => readonly TypeTransaction[];
}

/** The member of a record that names the offer that it stands for. */
const OFFER = '#offer';
/** Goes behind a record's bytes: no record holds a zero byte. */
const MARK = '\0offer:';
const LONGEST_MARK = 64;

/**
 * Hands a record that is several offers on once for each: the record as it is for the first, then again for each further one.
 * `offerOf` tells the mapping which it reads. Of the copies each has a hash of its own; only the first counts as a record of
 * the source, in pages and against what the source declares.
 */
export function severalOffers<R extends object>(
  format: RecordFormat<R>,
  { mayBeSeveral, offersOf }: SeveralOffers<R>,
): RecordFormat<R> {
  return {
    ...format,
    slice: (part) => slicesOf(part),
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

  async function* slicesOf(part: FeedPart): AsyncGenerator<Slice> {
    const feed: Record<string, unknown> = {};
    const context: RecordContext = { crm: '', settings: {}, feed, warn: () => undefined };
    for await (const slice of format.slice(part)) {
      yield slice;
      if (slice.kind === 'context' && slice.name.startsWith('#')) feed[slice.name] = slice.bytes.toString('latin1');
      if (slice.kind !== 'record' || !mayBeSeveral(slice.bytes)) continue;
      // A record that takes too long is rejected when it is mapped.
      const offers = mapBriefly(slice.bytes.length, () => furtherOffers(slice.bytes, context));
      if (offers === STOPPED) continue;
      for (const offer of offers) {
        const bytes = Buffer.concat([slice.bytes, Buffer.from(`${MARK}${offer}`)]);
        yield { kind: 'record', bytes, line: slice.line, isFurtherOffer: true };
      }
    }
  }

  /** None of a record that cannot be parsed: it is rejected once. */
  function furtherOffers(bytes: Buffer, context: RecordContext): readonly string[] {
    try {
      return offersOf(format.parse(bytes, context), context).slice(1);
    } catch (error) {
      if (error instanceof RecordError) return [];
      throw error;
    }
  }
}

/** The offer that a record stands for; undefined where it names none. */
export function offerOf(record: object): TypeTransaction | undefined {
  return (record as { readonly [OFFER]?: TypeTransaction })[OFFER];
}

/**
 * The identifier of an offer. That of a sale is the record's own, and stays so whatever else is offered; every other offer
 * has its word behind it, also where it is alone: a let that is for sale as well from tomorrow remains the listing that it was.
 */
export function offerId(id: string | undefined, offer: TypeTransaction | undefined): string | undefined {
  return id === undefined || offer === undefined || offer === 'vente' ? id : `${id}-${offer}`;
}

function unmarked(bytes: Buffer): { record: Buffer; offer?: TypeTransaction } {
  const at = bytes.lastIndexOf(MARK);
  if (at === -1 || bytes.length - at > LONGEST_MARK) return { record: bytes };
  return { record: bytes.subarray(0, at), offer: bytes.toString('latin1', at + MARK.length) as TypeTransaction };
}
