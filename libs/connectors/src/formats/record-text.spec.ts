import { recordingContext } from '../../../../test/support/connectors/recording-context';
import { recordText, rowOfRaw } from './record-text';

function warningsOf(text: string): string[] {
  const { context, warnings } = recordingContext('kyero');
  recordText(Buffer.from(text), undefined, context);
  return warnings;
}

describe('recordText', () => {
  it.each(['Tr\ufffds beau', 'Tr&#xFFFD;s beau', 'Tr&#x0fffd;s beau', 'Tr&#65533;s beau'])(
    'warns about lost letters in %s',
    (text) => {
      expect(warningsOf(text)).toEqual(['wrong_encoding U+FFFD: letters that were lost']);
    },
  );

  it.each(['Très beau', 'Tr&#xE8;s beau', '65533 €', '#FFFD'])('finds no lost letters in %s', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });
});

it('rowOfRaw reads cells by their positions, and no position that no format has', () => {
  expect(rowOfRaw({ '1': 'a', '3': 7, '4000000000': 'x', name: 'y' })).toEqual(['', 'a', '', '7']);
});
