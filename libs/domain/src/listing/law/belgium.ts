import type { EnergyFigure } from '../energy/figure';
import { energyScaleOf } from '../energy/scales';
import {
  type Advert,
  type CountryRules,
  figureOf,
  isDwelling,
  isExempt,
  isSale,
  isSaleOrLet,
  measured,
  saying,
} from './rules';

type Region = 'BE-VLG' | 'BE-WAL' | 'BE-BRU';

const dutchFigures = new Intl.NumberFormat('nl-BE');
const frenchFigures = new Intl.NumberFormat('fr-BE');

const isIn = (region: Region, { pays, codePostal }: Advert): boolean => energyScaleOf(pays, codePostal) === region;
const isDwellingIn = (region: Region) => (advert: Advert) =>
  isIn(region, advert) && isDwelling(advert) && isSaleOrLet(advert);
/** The law also covers lets of more than nine years, but no format states the duration of a let. */
const isForSaleInFlanders = (advert: Advert): boolean => isIn('BE-VLG', advert) && isSale(advert);

const A_YEAR = 'kWh/an';
const DUTCH_UNITS = { 'kWh/m²/an': ' kWh/(m²·jaar)' };
const WALLOON_UNITS = { 'kWh/m²/an': ' kWh/m².an', [A_YEAR]: ' kWh/an' };

/** The figure of primary energy: the use per m², or the total. */
function usageOf({ energie }: Advert, isTotal = false): EnergyFigure | undefined {
  return energie?.find(({ grandeur, unite }) => grandeur === 'energie-primaire' && (unite === A_YEAR) === isTotal);
}

/** States score, class and number of the certificate. A certificate in preparation has none of them. */
const flanders = saying(
  {
    code: 'be-vlg-epc',
    source: 'Energiebesluit van 19 november 2010, titel IX',
    concerns: isDwellingIn('BE-VLG'),
    sentence(advert) {
      const usage = usageOf(advert);
      const score = measured(usage, dutchFigures, DUTCH_UNITS);
      if (usage?.classe === undefined || score === undefined || usage.numero === undefined) return undefined;
      return `EPC-label ${usage.classe}, ${score}, certificaatnummer ${usage.numero}`;
    },
  },
  isExempt,
);

const wallonia = saying(
  {
    code: 'be-wal-peb',
    source: 'Arrêté du Gouvernement wallon du 15 mai 2014 (PEB)',
    concerns: isDwellingIn('BE-WAL'),
    language: () => 'fr',
    sentence(advert) {
      const usage = usageOf(advert);
      const { classe, numero } = usage ?? {};
      const specific = measured(usage, frenchFigures, WALLOON_UNITS);
      const total = measured(usageOf(advert, true), frenchFigures, WALLOON_UNITS);
      if (classe === undefined || specific === undefined || total === undefined || numero === undefined)
        return undefined;
      return (
        `PEB : classe ${classe}, consommation spécifique d’énergie primaire ${specific}, ` +
        `consommation théorique totale d’énergie primaire ${total}, certificat n° ${numero}`
      );
    },
  },
  isExempt,
);

const brussels = saying(
  {
    code: 'be-bru-peb',
    source: 'Code bruxellois de l’Air, du Climat et de la Maîtrise de l’Énergie (ordonnance du 2 mai 2013)',
    concerns: isDwellingIn('BE-BRU'),
    language: ({ langue }) => (langue === 'nl' ? 'nl' : 'fr'),
    sentence(advert) {
      const usage = usageOf(advert);
      if (usage?.classe === undefined) return undefined;
      const isDutch = advert.langue === 'nl';
      const figures = isDutch ? dutchFigures : frenchFigures;
      const year = isDutch ? 'jaar' : 'an';
      const units = { 'kWh/m²/an': ` kWh/m².${year}`, 'kg CO₂/m²/an': ` kg CO₂/m².${year}` };
      return [
        isDutch ? `EPB-certificaat: klasse ${usage.classe}` : `Certificat PEB : classe ${usage.classe}`,
        measured(usage, figures, units),
        measured(figureOf(advert, 'emissions'), figures, units),
      ]
        .filter((part) => part !== undefined)
        .join(', ');
    },
  },
  isExempt,
);

/** States the flood scores of plot and building; land has no building, so the building's score is not needed. */
const floods = saying({
  code: 'be-vlg-overstroming',
  source: 'Decreet van 18 juli 2003 betreffende het integraal waterbeleid (Waterwetboek), informatieplicht',
  concerns: isForSaleInFlanders,
  sentence({ inondationP, inondationG, typeCode }) {
    if (inondationP === undefined || (inondationG === undefined && typeCode !== 'terrain')) return undefined;
    return `Overstromingsgevoeligheid: P-score ${inondationP}${inondationG === undefined ? '' : `, G-score ${inondationG}`}`;
  },
});

const planning = saying({
  code: 'be-vlg-stedenbouw',
  source: 'Vlaamse Codex Ruimtelijke Ordening, art. 5.2.6',
  concerns: isForSaleInFlanders,
  sentence({ permisUrbanisme, affectationUrbanisme, citationUrbanisme, droitPreemption, permisLotir }) {
    if (permisUrbanisme === undefined || affectationUrbanisme === undefined || citationUrbanisme === undefined) {
      return undefined;
    }
    if (droitPreemption === undefined || permisLotir === undefined) return undefined;
    return [
      permisUrbanisme ? 'Vergunning uitgereikt' : 'Geen vergunning uitgereikt',
      `bestemming: ${affectationUrbanisme}`,
      citationUrbanisme
        ? 'dagvaarding of herstelvordering uitgebracht'
        : 'geen rechterlijke herstelmaatregel of bestuurlijke maatregel opgelegd',
      droitPreemption ? 'voorkooprecht' : 'geen voorkooprecht',
      permisLotir
        ? 'omgevingsvergunning voor het verkavelen van gronden'
        : 'geen omgevingsvergunning voor het verkavelen van gronden',
    ].join('; ');
  },
});

/** The rules of the three regions. No rule applies if the postcode does not determine the region. */
export const BELGIUM: CountryRules = {
  country: 'BE',
  language: 'nl',
  rules: [flanders, wallonia, brussels, floods, planning],
};
