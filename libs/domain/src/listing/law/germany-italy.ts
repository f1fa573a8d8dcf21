import { type Advert, type CountryRules, figureOf, hasEnergyState, isDwelling, isSaleOrLet, measured } from './rules';

const germanFigures = new Intl.NumberFormat('de-DE');
const italianFigures = new Intl.NumberFormat('it-IT');
const GERMAN_UNITS = { 'kWh/m²/an': ' kWh/(m²·a)' };
/** A building other than a dwelling may have an index per volume. */
const ITALIAN_UNITS = { 'kWh/m²/an': ' kWh/m² anno', 'kWh/m³/an': ' kWh/m³ anno' };

/** Only for dwellings: other buildings need both kinds of energy, but no year and no class. */
function certificateSentence(advert: Advert): string | undefined {
  const figure = figureOf(advert, 'energie-finale');
  if (!isDwelling(advert) || figure === undefined) return undefined;
  const { base, vecteurs, annee, classe } = figure;
  const value = measured(figure, germanFigures, GERMAN_UNITS);
  if (base === undefined || value === undefined || vecteurs === undefined) return undefined;
  if (annee === undefined || classe === undefined) return undefined;
  const isNeed = base === 'besoin';
  return (
    `${isNeed ? 'Energiebedarfsausweis, Endenergiebedarf' : 'Energieverbrauchsausweis, Endenergieverbrauch'} ` +
    `${value}, wesentliche Energieträger: ${vecteurs.join(', ')}, ` +
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

/** The sentence with the global index and its class; no format has a field for the index of the envelope. */
function italianSentence(advert: Advert): string | undefined {
  const figure = figureOf(advert, 'energie-primaire');
  const index = measured(figure, italianFigures, ITALIAN_UNITS);
  if (figure?.classe === undefined || index === undefined) return undefined;
  return `Classe energetica ${figure.classe}, indice di prestazione energetica globale ${index}`;
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
