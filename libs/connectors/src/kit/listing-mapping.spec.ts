import { LISTING_FIELDS } from '@passerelle/domain';

import { RecordError } from './contracts';
import { type ListingMapping, toListing } from './listing-mapping';
import { recordingContext } from './testing/recording-context';
import { absent, money, photos, text } from './verbs';

const NOTHING = Object.fromEntries(LISTING_FIELDS.map((field) => [field, absent('not in this feed')]));
const MAPPING = {
  ...NOTHING,
  photos: photos('photo', (record: { photo?: string }) => [{ value: record.photo }]),
  prix: money('prix'),
  ville: text('ville'),
  affNum: text('ref'),
  affId: text('id'),
} as unknown as ListingMapping<{ photo?: string }>;
const { context } = recordingContext('demo');

describe('toListing', () => {
  it('gives fields in the order of the vocabulary, absent ones not at all', () => {
    const mapped = toListing(MAPPING)({ id: '1', ref: 'R', ville: '', prix: '10' } as object, context);
    expect(JSON.stringify(mapped)).toBe(
      '{"kind":"listing","listing":{"affId":"1","affNum":"R","passerelleName":"demo","prix":10,"photos":[]}}',
    );
  });

  it('rejects a record without an identifier, and names the field', () => {
    expect(() => toListing(MAPPING)({ ref: 'R' } as object, context)).toThrow(
      new RecordError('missing_id', 'the record has no identifier', 'id'),
    );
  });

  it.each([
    [
      new RecordError('invalid_value', 'the town is not one', 'town'),
      new RecordError('invalid_value', 'the town is not one', 'town', '7'),
    ],
    [
      new TypeError('cannot read Mrs Private'),
      new RecordError('malformed', 'the record could not be read (TypeError)', undefined, '7'),
    ],
  ])('says which listing a record was to become that cannot be mapped', (thrown, expected) => {
    const map = toListing(MAPPING, {
      scope: () => {
        throw thrown;
      },
    });
    expect(partsOf(failureOf(() => map({ id: '7' } as object, context)))).toEqual(partsOf(expected));
  });

  it('tells scope and revision', () => {
    const map = toListing(MAPPING, { scope: () => 'A', revision: () => '2024' });
    expect(map({ id: '1' } as object, context)).toMatchObject({ kind: 'listing', scope: 'A', revision: '2024' });
  });

  it('tells why a record is not to be shown', () => {
    const map = toListing(MAPPING, { scope: () => 'A', withdrawn: () => 'sold' });
    expect(map({ id: '1' } as object, context)).toEqual({ kind: 'withdrawn', affId: '1', scope: 'A', message: 'sold' });
  });
});

function partsOf({ code, message, field, recordId }: RecordError): object {
  return { code, message, field, recordId };
}

function failureOf(act: () => unknown): RecordError {
  try {
    act();
  } catch (error) {
    if (error instanceof RecordError) return error;
  }
  throw new Error('it did not fail as a record does');
}
