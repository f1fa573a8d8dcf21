import { agencyNameFor } from './agency-names';

describe('agencyNameFor', () => {
  const settings = { 'agence-noms': '100=High Street; 200 = Low Road;broken', 'agence-nom': 'Everyone' };

  it.each([
    ['100', 'High Street'],
    ['200', 'Low Road'],
    ['300', 'Everyone'],
    [undefined, 'Everyone'],
  ])('names the agency %s', (agency, expected) => {
    expect(agencyNameFor(agency, settings)).toBe(expected);
  });

  it('returns no name without settings', () => {
    expect(agencyNameFor('100', {})).toBeUndefined();
  });
});
