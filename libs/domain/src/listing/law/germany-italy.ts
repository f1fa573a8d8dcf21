import { type Advert, type CountryRules, figureOf, hasEnergyState, isDwelling, isSaleOrLet } from './rules';

const germanFigures = new Intl.NumberFormat('de-DE');
const italianFigures = new Intl.NumberFormat('it-IT');

/** The five facts of the paragraph; a building that is no dwelling needs no year and no class, and both kinds of energy. */
function certificateSentence(advert: Advert): string | undefined {
  const figure = figureOf(advert, 'energie-finale');
  if (!isDwelling(advert) || figure === undefined) return undefined;
  const { base, valeur, vecteurs, annee, classe } = figure;
  if (base === undefined || valeur === undefined || vecteurs === undefined) return undefined;
  if (annee === undefined || classe === undefined) return undefined;
  const isNeed = base === 'besoin';
  return (
    `${isNeed ? 'Energiebedarfsausweis, Endenergiebedarf' : 'Energieverbrauchsausweis, Endenergieverbrauch'} ` +
    `${germanFigures.format(valeur)} kWh/(m²·a), wesentliche Energieträger: ${vecteurs.join(', ')}, ` +
    `Baujahr ${annee}, Energieeffizienzklasse ${classe}`
  );
}

export const GERMANY: CountryRules = {
  country: 'DE',
  language: 'de',
  rules: [
    {
      code: 'de-energieausweis',
      source: '§ 87 GEG',
      concerns: (advert) => isDwelling(advert) && isSaleOrLet(advert),
      isMet: (advert) => certificateSentence(advert) !== undefined || hasEnergyState(advert),
      sentence: certificateSentence,
    },
  ],
};

/** Of the global index and its class; the index of the envelope has no field in any format that is read. */
function italianSentence(advert: Advert): string | undefined {
  const { classe, valeur } = figureOf(advert, 'energie-primaire') ?? {};
  if (classe === undefined || valeur === undefined) return undefined;
  return `Classe energetica ${classe}, indice di prestazione energetica globale ${italianFigures.format(valeur)} kWh/m² anno`;
}

export const ITALY: CountryRules = {
  country: 'IT',
  language: 'it',
  rules: [
    {
      code: 'it-prestazione-energetica',
      source: 'D.Lgs. 192/2005, art. 6, comma 8',
      concerns: isSaleOrLet,
      isMet: (advert) => italianSentence(advert) !== undefined || hasEnergyState(advert),
      sentence: italianSentence,
    },
  ],
};
