import { countDuties, dutiesOfMask, dutyMask, DUTY_CODES, DUTY_CODES_BY_COUNTRY } from '../../index';

const COUNTRIES = Object.entries<readonly string[]>(DUTY_CODES_BY_COUNTRY);

describe('missing duties', () => {
  it.each(COUNTRIES)('of %s fit into a number of 31 bits: none, each, and all', (country, codes) => {
    for (const some of [[], ...codes.map((code) => [code]), codes]) {
      const mask = dutyMask(country, some);
      expect(dutiesOfMask(mask)).toEqual(some);
      expect(mask).toBe(mask & 0x7fffffff);
    }
    expect(codes.length).toBeLessThanOrEqual(24);
  });

  it('are counted by code over listings of several countries', () => {
    const masks = [dutyMask('FR', ['fr-dpe', 'fr-honoraires']), dutyMask('DE', ['de-energieausweis']), 0];
    expect(countDuties([...masks, dutyMask('FR', ['fr-dpe'])])).toEqual({
      ...{ 'fr-dpe': 2, 'fr-honoraires': 1, 'de-energieausweis': 1 },
    });
    expect(countDuties([0, 0])).toEqual({});
  });

  it('are ignored if only a newer release has their code', () => {
    expect(dutiesOfMask(dutyMask('DE', ['de-energieausweis']) | (1 << 20))).toEqual(['de-energieausweis']);
    expect(dutiesOfMask(100 << 24)).toEqual([]);
  });

  it('have unique codes that begin with their country', () => {
    for (const [country, codes] of COUNTRIES) {
      for (const code of codes) expect(code).toMatch(new RegExp(`^${country.toLowerCase()}-[a-z-]+$`));
    }
    expect(new Set(DUTY_CODES).size).toBe(DUTY_CODES.length);
  });
});
