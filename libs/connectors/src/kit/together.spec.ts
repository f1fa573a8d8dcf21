import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { together } from './together';

const { context } = recordingContext('demo');

describe('together', () => {
  it('calls its function once for each record', () => {
    let asked = 0;
    const both = together((record: { n: number }) => {
      asked += 1;
      return { half: record.n / 2, double: record.n * 2 };
    });
    const one = { n: 2 };
    expect([both.field('half').read(one, context), both.field('double').read(one, context)]).toEqual([1, 4]);
    expect(asked).toBe(1);
    expect(both.field('half').read({ n: 6 }, context)).toBe(3);
    expect(asked).toBe(2);
  });

  it('returns several fields under their own names', () => {
    const { latitude, longitude } = together((record: { point: [number, number] }) => ({
      latitude: record.point[0],
      longitude: record.point[1],
    })).fields('latitude', 'longitude');
    const record = { point: [1, 2] as [number, number] };
    expect([latitude.read(record, context), longitude.read(record, context)]).toEqual([1, 2]);
  });

  it('does not return the result of another record', () => {
    const both = together((record: { n: number }) => {
      if (record.n < 0) throw new Error('negative');
      return { n: record.n };
    });
    const bad = { n: -1 };
    expect(both.field('n').read({ n: 1 }, context)).toBe(1);
    expect(() => both.field('n').read(bad, context)).toThrow('negative');
    expect(() => both.field('n').read(bad, context)).toThrow('negative');
  });
});
