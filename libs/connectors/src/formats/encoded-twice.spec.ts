import { mendEncodedTwice } from './encoded-twice';

const twice = (text: string): string => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8'));

describe('mendEncodedTwice', () => {
  it.each(['Béziers', 'Forêt à l’orée', 'château – 100 m² à 350 000 €', 'Málaga, Españoles', 'Größe', '“Œuvre”'])(
    'mends %s',
    (text) => {
      expect(mendEncodedTwice(twice(text))).toEqual({ text, isDoubtful: false });
    },
  );

  it.each(['Béziers', 'SÃO PAULO', 'Ã', 'MAÇÃ', 'Crèche à 100 €', 'naïve', 'Žofín'])('does not change %s', (text) => {
    expect(mendEncodedTwice(text)).toEqual({ text, isDoubtful: false });
  });

  it('mends a text that also has correct letters', () => {
    expect(mendEncodedTwice('BÃ©ziers, Nîmes')).toEqual({ text: 'Béziers, Nîmes', isDoubtful: false });
  });

  it.each(['“MANHÃ”', 'MANHÃ\u00a0'])('marks %j as doubtful and does not change it', (text) => {
    expect(mendEncodedTwice(text)).toEqual({ text, isDoubtful: true });
  });
});
