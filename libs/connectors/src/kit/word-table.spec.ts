import { wordTable } from './word-table';

describe('wordTable', () => {
  const table = wordTable({ 'maison/villa': 'maison', 'hôtel particulier': 'hotel-particulier', maison: 'maison' });

  it.each([
    ['maison/villa', 'maison'],
    ['MAISON / VILLA', 'maison'],
    ['Hotel-Particulier', 'hotel-particulier'],
    [' maison ', 'maison'],
    ['constructor', undefined],
    ['yourte', undefined],
  ])('finds %j as %j, the first and the second time', (word, expected) => {
    expect(table.find(word)).toBe(expected);
    expect(table.find(word)).toBe(expected);
  });

  it('refuses one word with two meanings', () => {
    expect(() => wordTable({ 'a-b': 1, 'A B': 2 })).toThrow('stands twice');
  });
});
