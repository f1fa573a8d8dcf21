import type { EnergyFigure } from '../energy/figure';
import {
  type Advert,
  type CountryRules,
  figureOf,
  isBuilding,
  isDwelling,
  isExempt,
  isSaleOrLet,
  measured,
  saying,
} from './rules';

const spanishFigures = new Intl.NumberFormat('es-ES');
const austrianFigures = new Intl.NumberFormat('de-AT');

const isBuildingOnOffer = (advert: Advert): boolean => isBuilding(advert) && isSaleOrLet(advert);

const SPANISH_UNITS = { 'kWh/m²/an': ' kWh/m² año', 'kg CO₂/m²/an': ' kg CO₂/m² año' };
const HEATING_UNITS = { 'kWh/m²/an': ' kWh/(m²·a)' };
const FACTOR_UNITS = { fGEE: '' };

function inSpanish(figure: EnergyFigure): string {
  const value = measured(figure, spanishFigures, SPANISH_UNITS);
  return `${figure.classe ?? ''}${value === undefined ? '' : ` (${value})`}`;
}

export const SPAIN: CountryRules = {
  country: 'ES',
  language: 'es',
  rules: [
    // States the letters of consumption and emissions. A certificate in preparation has no letters to show.
    saying(
      {
        code: 'es-certificado-energetico',
        source: 'Real Decreto 390/2021, de 1 de junio',
        concerns: isBuildingOnOffer,
        sentence(advert) {
          const usage = figureOf(advert, 'energie-primaire');
          const emissions = figureOf(advert, 'emissions');
          if (usage?.classe === undefined || emissions?.classe === undefined) return undefined;
          return `Calificación energética: consumo ${inSpanish(usage)}, emisiones ${inSpanish(emissions)}`;
        },
      },
      isExempt,
    ),
    saying({
      code: 'es-numero-registro',
      source: 'Real Decreto 1312/2024, de 23 de diciembre',
      concerns: (advert) => isDwelling(advert) && advert.typeTransaction === 'location-saisonniere',
      sentence: ({ numeroEnregistrement }) =>
        numeroEnregistrement === undefined ? undefined : `Número de registro de alquiler: ${numeroEnregistrement}`,
    }),
  ],
};

export const NETHERLANDS: CountryRules = {
  country: 'NL',
  language: 'nl',
  rules: [
    saying(
      {
        code: 'nl-energielabel',
        source: 'Besluit energieprestatie gebouwen',
        concerns: isBuildingOnOffer,
        sentence(advert) {
          const { classe } = figureOf(advert, 'energie-primaire') ?? {};
          return classe === undefined ? undefined : `Energielabel: ${classe}`;
        },
      },
      isExempt,
    ),
  ],
};

export const AUSTRIA: CountryRules = {
  country: 'AT',
  language: 'de',
  rules: [
    saying(
      {
        code: 'at-energieausweis',
        source: 'Energieausweis-Vorlage-Gesetz 2012 (EAVG), § 3',
        concerns: isBuildingOnOffer,
        sentence(advert) {
          const heating = figureOf(advert, 'besoin-chauffage');
          const factor = figureOf(advert, 'facteur-efficacite');
          const demand = measured(heating, austrianFigures, HEATING_UNITS);
          const share = measured(factor, austrianFigures, FACTOR_UNITS);
          if (demand === undefined || share === undefined) return undefined;
          const inClass = (classe: string | undefined): string => (classe === undefined ? '' : ` (Klasse ${classe})`);
          return `HWB ${demand}${inClass(heating?.classe)}, fGEE ${share}${inClass(factor?.classe)}`;
        },
      },
      isExempt,
    ),
  ],
};

export const PORTUGAL: CountryRules = {
  country: 'PT',
  language: 'pt',
  rules: [
    saying(
      {
        code: 'pt-classe-energetica',
        source: 'Decreto-Lei n.º 101-D/2020, de 7 de dezembro, art. 22.º, n.º 3',
        concerns: isBuildingOnOffer,
        sentence(advert) {
          const { classe } = figureOf(advert, 'energie-primaire') ?? {};
          return classe === undefined ? undefined : `Classe energética: ${classe}`;
        },
      },
      isExempt,
    ),
  ],
};

export const LUXEMBOURG: CountryRules = {
  country: 'LU',
  language: 'fr',
  rules: [
    saying(
      {
        code: 'lu-passeport-energetique',
        source: 'Règlement grand-ducal du 9 juin 2021 concernant la performance énergétique des bâtiments',
        concerns: (advert) => isDwelling(advert) && isSaleOrLet(advert),
        sentence(advert) {
          const { classe } = figureOf(advert, 'energie-primaire') ?? {};
          const insulation = figureOf(advert, 'besoin-chauffage')?.classe;
          if (classe === undefined) return undefined;
          const beside = insulation === undefined ? '' : `, classe d’isolation thermique ${insulation}`;
          return `Classe de performance énergétique ${classe}${beside}`;
        },
      },
      isExempt,
    ),
  ],
};
