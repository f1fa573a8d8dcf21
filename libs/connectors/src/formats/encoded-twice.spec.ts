import { mendEncodedTwice } from './encoded-twice';

const twice = (text: string): string => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8'));

describe('mendEncodedTwice', () => {
  it.each(['Béziers', 'Forêt à l’orée', 'château – 100 m² à 350 000 €', 'Málaga, Españoles', 'Größe', '“Œuvre”'])(
    'mends %s',
    (text) => {
      expect(mendEncodedTwice(twice(text))).toEqual({ text, isDoubtful: false });
    },
  );

  it.each(['Béziers', 'SÃO PAULO', 'Ã', 'MAÇÃ', 'Crèche à 100 €', 'naïve', 'Žofín'])('leaves %s', (text) => {
    expect(mendEncodedTwice(text)).toEqual({ text, isDoubtful: false });
  });

  it('mends a text beside letters that are right', () => {
    expect(mendEncodedTwice('BÃ©ziers, Nîmes')).toEqual({ text: 'Béziers, Nîmes', isDoubtful: false });
  });

  it.each(['“MANHÃ”', 'MANHÃ\u00a0'])('is in doubt about %j', (text) => {
    expect(mendEncodedTwice(text)).toEqual({ text, isDoubtful: true });
  });
});
