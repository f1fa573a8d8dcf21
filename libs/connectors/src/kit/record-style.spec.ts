import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { styleOf } from './number-style';
import { recordStyles } from './record-style';

const styleIn = recordStyles(['price', 'plot', 'built']);

describe('number style of a record', () => {
  it.each<[string, object, object]>([
    ['thousands from a number with both separators', { plot: '12.500', built: '1.250,5' }, { point: 'thousands' }],
    ['thousands from decimals after a comma', { plot: '12.500', built: '92,5' }, { point: 'thousands' }],
    ['decimals from a long number', { plot: '12.500', built: '1250.125' }, { point: 'decimal' }],
    ['the style of the feed without evidence', { plot: '12.500' }, { point: 'fraction' }],
  ])('is %s', (_title, record, expected) => {
    const { context } = recordingContext('demo', { feed: { numbers: { areas: { point: 'fraction' } } } });
    expect(styleOf(styleIn({ ...record }, context), 'areas')).toEqual(expected);
  });
});
