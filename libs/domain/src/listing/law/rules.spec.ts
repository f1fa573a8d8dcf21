import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  DUTY_CODES,
  FRENCH_COUNTRIES,
  LAW_COUNTRIES,
  type Listing,
  mentionsOf,
  missingDutiesMask,
  missingDutiesOf,
  RULES_VERSION,
} from '../../index';
import { advert, CASES, without } from '../../../../../test/support/law/duty-cases';

const DOCUMENT = readFileSync('docs/legal.md', 'utf8');

/** A generator of reproducible numbers. */
function* randomly(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Adverts from all countries, each with some of the facts that its duties need. */
function someAdverts(count: number): Listing[] {
  const dice = randomly(27);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(dice.next().value * all.length)]!;
  const fulls = Object.values(CASES).map(({ full }) => full);
  const french: Partial<Listing> = {
    ...{ pays: 'FR', dpeClasse: 'G', gesClasse: 'E', dpeCoutMin: 900, dpeCoutMax: 1300, dpeAnneeReference: '2023' },
    ...{ georisques: true, prixHorsHonoraires: 190_000, copropriete: true, coproLots: 12, coproCharges: 900 },
    ...{ coproProcedure: true, honoraires: 5, honorairesUnite: 'pourcentage', honorairesCharge: 'acquereur' },
  };
  return Array.from({ length: count }, () => {
    const one = pick([...fulls, french]);
    const all: Listing = {
      ...advert(Object.assign({}, french, ...fulls.filter(({ pays }) => pays === one.pays), one)),
    };
    all.typeCode = pick(['appartement', 'maison', 'terrain', 'bureau']);
    all.typeTransaction = pick(['vente', 'location', 'location-saisonniere']);
    const facts = Object.keys(all).filter((field) => !['affId', 'photos', 'passerelleName', 'pays'].includes(field));
    for (const fact of facts) if (dice.next().value < 0.3) Reflect.deleteProperty(all, fact);
    return dice.next().value < 0.3 ? without(all, `energie.${pick(['classe', 'valeur', 'numero', 'unite'])}`) : all;
  });
}

describe('adverts with some of the facts', () => {
  const adverts = someAdverts(5_000);

  it('have complete sentences in the language of their country, and only for duties that the advert meets', () => {
    const languages: Record<string, readonly string[]> = { BE: ['nl', 'fr'] };
    for (const { country, language } of LAW_COUNTRIES) languages[country] ??= [language];
    for (const listing of adverts) {
      const missing = missingDutiesOf(listing);
      for (const { code, pays, langue, texte } of mentionsOf(listing)) {
        expect(texte).not.toMatch(/undefined|null|NaN|[:,(]\s*([.,;)]|$)|\s{2}/);
        expect([code, pays, languages[pays]?.includes(langue)]).toEqual([code, listing.pays, true]);
        expect(missing).not.toContain(code);
      }
    }
  });

  it('have sentences in which every number comes from the advert', () => {
    for (const listing of adverts) {
      const known = JSON.stringify(listing);
      const sum = (listing.loyerHorsCharges ?? 0) + (listing.charges ?? 0);
      for (const { texte } of mentionsOf(listing)) {
        const said = texte.replace(/m²|CO₂/g, '').match(/\d[\d.,\s\u202f\u00a0]*\d|\d/g) ?? [];
        for (const number of said.map((one) => one.replace(/\s/g, ''))) {
          const spellings = [
            number,
            number.replace(',', '.'),
            number.replace(/[.,]/g, ''),
            `${sum}` === number ? 'affId' : number,
          ];
          expect([texte, number, spellings.some((one) => known.includes(one))]).toEqual([texte, number, true]);
        }
      }
    }
  });

  it('of the French overseas departments and collectivities have the duties and sentences of France', () => {
    const inFrance = adverts.filter(({ pays }) => pays === 'FR');
    expect(inFrance.length).toBeGreaterThan(100);
    for (const pays of FRENCH_COUNTRIES) {
      for (const advert of inFrance) {
        const moved = { ...advert, pays };
        expect(mentionsOf(moved)).toEqual(mentionsOf(advert));
        expect(missingDutiesMask(moved)).toBe(missingDutiesMask(advert));
      }
    }
  });

  it('get the same results as long as RULES_VERSION is the same', () => {
    const told = adverts.map((listing) => [mentionsOf(listing), missingDutiesOf(listing)]);
    // After a change of the rules, raise RULES_VERSION, then insert the new digest here.
    expect([RULES_VERSION, hash('sha256', JSON.stringify(told), 'hex').slice(0, 16)]).toEqual([6, 'bafdd4ced3306582']);
  });
});

describe('docs/legal.md', () => {
  it('has exactly one row per code, with the text of law that the rule names', () => {
    const rules = LAW_COUNTRIES.flatMap((country) => country.rules);
    const rows = [...DOCUMENT.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
    expect(rows.toSorted()).toEqual(rules.map(({ code }) => code).toSorted());
    expect(rows.toSorted()).toEqual([...DUTY_CODES].toSorted());
  });
});
