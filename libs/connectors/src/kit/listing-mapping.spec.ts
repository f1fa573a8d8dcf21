import { LISTING_FIELDS } from '@passerelle/domain';

import { RecordError } from './contracts';
import { type ListingMapping, toListing } from './listing-mapping';
import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { absent, identifier, money, photos, text } from './verbs';

interface Record {
  id?: string;
  photo?: string;
}
const FIELDS = LISTING_FIELDS.filter((field) => field !== 'passerelleName' && field !== 'mentions');
const MAPPING: ListingMapping<Record> = {
  ...absent('not in this feed', 'intitule', ...FIELDS),
  photos: photos('photo', (record: Record) => [{ value: record.photo }]),
  prix: money('prix'),
  ville: text('ville'),
  affNum: text('ref'),
  affId: identifier('id'),
};
const { context } = recordingContext('demo');

describe('ListingMapping', () => {
  const { dateModification, ...others } = absent('not in this feed', 'intitule', ...FIELDS);

  it('does not compile when a field has no answer', () => {
    // @ts-expect-error -- dateModification is missing
    const mapping: ListingMapping<Record> = { ...others };
    expect(Object.keys(mapping)).toHaveLength(FIELDS.length - 1);
  });

  it('does not compile when a field has an answer and is also declared absent', () => {
    // @ts-expect-error -- the spread would overwrite the first answer
    const mapping: ListingMapping<Record> = { ville: text('town'), dateModification, ...others };
    expect(Object.keys(mapping)).toHaveLength(FIELDS.length);
  });

  it('does not compile when a field that does not exist is declared absent', () => {
    // @ts-expect-error -- the field is called ville
    expect(absent('not in this feed', 'town')).toHaveProperty('town');
  });

  it('does not compile when an answer has another type than its field', () => {
    // @ts-expect-error -- a price is a number
    const mapping: ListingMapping<Record> = { ...others, dateModification, prix: text('price') };
    expect(mapping.prix.paths).toEqual(['price']);
  });
});

describe('toListing', () => {
  it('returns fields in the order of the vocabulary, and omits absent fields', () => {
    const mapped = toListing(MAPPING)({ id: '1', ref: 'R', ville: '', prix: '10' } as object, context);
    expect(JSON.stringify(mapped)).toBe(
      '{"kind":"listing","listing":{"affId":"1","affNum":"R","passerelleName":"demo","prix":10,"photos":[]}}',
    );
  });

  it.each(['evil\'"><i>0', 'evil\'">0', 'A&amp;B', 'A&B', 'a  b', '<b>12</b>'])('keeps the identifier %s', (id) => {
    const mapped = toListing(MAPPING)({ id: ` ${id}\n` }, context);
    expect(mapped).toMatchObject({ kind: 'listing', listing: { affId: id } });
  });

  it.each(['a\u0000b', 'a\nb', 'a\ufffdb', 'a\ud800b'])(
    'rejects the identifier %j, which contains invalid characters',
    (id) => {
      expect(() => toListing(MAPPING)({ id }, context)).toThrow(
        new RecordError('malformed', 'the identifier has characters that cannot be kept', 'id'),
      );
    },
  );

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
  ])('adds the identifier to the error when a record cannot be mapped', (thrown, expected) => {
    const map = toListing(MAPPING, {
      scope: () => {
        throw thrown;
      },
    });
    expect(partsOf(failureOf(() => map({ id: '7' }, context)))).toEqual(partsOf(expected));
  });

  it('returns scope and revision', () => {
    const map = toListing(MAPPING, { scope: () => 'A', revision: () => '2024' });
    expect(map({ id: '1' }, context)).toMatchObject({ kind: 'listing', scope: 'A', revision: '2024' });
  });

  it('returns the reason when a listing is withdrawn', () => {
    const map = toListing(MAPPING, { scope: () => 'A', withdrawn: () => 'sold' });
    expect(map({ id: '1' }, context)).toEqual({ kind: 'withdrawn', affId: '1', scope: 'A', message: 'sold' });
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
