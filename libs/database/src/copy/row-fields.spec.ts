import { RowFields } from './row-fields';

function int(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(value, 0, bytes);
  return buffer;
}

function bigint(value: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt(value));
  return buffer;
}

/** A row; null is a null field. */
function row(...fields: (Buffer | null)[]): Buffer {
  const parts = fields.flatMap((field) => (field === null ? [int(-1, 4)] : [int(field.length, 4), field]));
  return Buffer.concat([int(fields.length, 2), ...parts]);
}

/** An array of type `bigint[]`. */
function array(...values: number[]): Buffer {
  const head = [values.length === 0 ? 0 : 1, 0, 20, values.length, 1].map((value) => int(value, 4));
  return Buffer.concat([...head, ...values.flatMap((value) => [int(8, 4), bigint(value)])]);
}

function readAll(fields: RowFields, bytes: Buffer): RowFields {
  expect(fields.read(Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]), 6)).toBe(6 + bytes.length);
  return fields;
}

describe('RowFields', () => {
  it('reads numbers of both sizes, including negative numbers and numbers beyond 32 bits', () => {
    const fields = readAll(new RowFields(4), row(int(7, 4), int(-7, 4), bigint(2 ** 53 - 1), bigint(-3)));
    expect([fields.int32(0), fields.int32(1), fields.bigint(2), fields.bigint(3)]).toEqual([7, -7, 2 ** 53 - 1, -3]);
  });

  it('reads the texts of the row that was read last', () => {
    const fields = new RowFields(3);
    const texts = [0, 1, 2].map((field) => fields.textOf(field));
    const read = (bytes: Buffer): string[] => {
      readAll(fields, bytes);
      return texts.map(({ bytes, start, end }) => bytes.toString('utf8', start, end));
    };
    expect(read(row(Buffer.from('Évreux'), Buffer.from(''), null))).toEqual(['Évreux', '', '']);
    expect([0, 1, 2].map((field) => fields.isNull(field))).toEqual([false, false, true]);
    expect(read(row(null, Buffer.from('b'), Buffer.from('🏠')))).toEqual(['', 'b', '🏠']);
  });

  it('reads arrays of large numbers', () => {
    const fields = readAll(new RowFields(2), row(array(5, 2 ** 40, 1), array(9)));
    expect([fields.bigints(0), fields.bigints(1)]).toEqual([[5, 2 ** 40, 1], [9]]);
  });

  it.each([
    ['with too few fields', row(int(1, 4))],
    ['with too many fields', row(int(1, 4), bigint(1), bigint(1))],
    ['that is cut inside a field', row(int(1, 4), bigint(1)).subarray(0, -1)],
    ['that is cut inside the length of a field', row(int(1, 4), bigint(1)).subarray(0, -10)],
  ])('rejects a row %s', (_what, bytes) => {
    expect(() => new RowFields(2).read(bytes, 0)).toThrow('rows of another form');
  });

  it('rejects a field that is read as another type', () => {
    const fields = readAll(new RowFields(3), row(int(1, 4), bigint(1), null));
    for (const read of [
      () => fields.bigint(0),
      () => fields.int32(1),
      () => fields.int32(2),
      () => fields.bigint(2),
      () => fields.bigints(1),
      () => fields.bigints(2),
    ])
      expect(read).toThrow('rows of another form');
  });
});
