import { ENERGY_SCALES, type EnergyFigure, type Listing } from '@passerelle/domain';
import { decimal } from '../../kit/text';
import { element, group } from '../../kit/xml';

/** `energiepass`: the figures of Germany and Austria; the class only of other countries. */
export function energyElement({ energie = [], pays }: Listing): string {
  const figures = new Map(
    pays === 'AT' ? austrianElements(energie) : pays === 'DE' ? germanElements(energie) : otherElements(energie),
  );
  const [{ date, valableJusque, annee, statut } = {} as Partial<EnergyFigure>] = energie;
  const isNotNeeded = statut === 'non-soumis';
  if (figures.size === 0 && !isNotNeeded) return '';
  const facts: Readonly<Record<string, string | undefined>> = {
    ...{ ...Object.fromEntries(figures), gueltig_bis: valableJusque, ausstelldatum: date, baujahr: annee?.toString() },
    jahrgang: isNotNeeded ? 'nicht_noetig' : undefined,
  };
  return group(
    'energiepass',
    IN_ORDER.map((name) => element(name, facts[name])),
  );
}

const IN_ORDER = (
  'epart gueltig_bis energieverbrauchkennwert mitwarmwasser endenergiebedarf primaerenergietraeger wertklasse baujahr ' +
  'ausstelldatum jahrgang hwbwert hwbklasse fgeewert fgeeklasse'
).split(' ');

type Named = readonly [name: string, value: string | undefined];

/** The class is that of final energy. A figure whose basis is unknown has no element. */
function germanElements(energie: readonly EnergyFigure[]): Named[] {
  const figure = energie.find(({ grandeur, base }) => grandeur === 'energie-finale' && base !== undefined);
  const classe = energie.find((one) => one.grandeur === 'energie-finale' && one.classe !== undefined)?.classe;
  const other = energie.find(
    (one) =>
      one.grandeur === 'energie-finale' &&
      one.base !== undefined &&
      one.base !== figure?.base &&
      one.electricite === undefined,
  );
  return given([
    ['epart', figure === undefined ? undefined : figure.base === 'besoin' ? 'BEDARF' : 'VERBRAUCH'],
    ...[figure, other].map((one): Named => [
      one?.base === 'besoin' ? 'endenergiebedarf' : 'energieverbrauchkennwert',
      numberOf(one),
    ]),
    ['mitwarmwasser', figure?.eauChaude?.toString()],
    ['primaerenergietraeger', figure?.vecteurs?.join(', ')],
    ['wertklasse', classe],
  ]);
}

function austrianElements(energie: readonly EnergyFigure[]): Named[] {
  const heating = energie.find(({ grandeur }) => grandeur === 'besoin-chauffage');
  const factor = energie.find(({ grandeur }) => grandeur === 'facteur-efficacite');
  return given([
    ['hwbwert', numberOf(heating)],
    ['hwbklasse', heating?.classe],
    ['fgeewert', numberOf(factor)],
    ['fgeeklasse', factor?.classe],
  ]);
}

/** The class of the figure that an energy class of the country describes. */
function otherElements(energie: readonly EnergyFigure[]): Named[] {
  const labelled = energie.find(({ echelle, grandeur, classe }) => {
    return classe !== undefined && echelle !== undefined && ENERGY_SCALES[echelle].quantities[0] === grandeur;
  });
  return given([['wertklasse', labelled?.classe]]);
}

function given(named: readonly Named[]): Named[] {
  return named.filter(([, value]) => value !== undefined);
}

function numberOf(figure: EnergyFigure | undefined): string | undefined {
  return figure?.valeur === undefined ? undefined : decimal(figure.valeur);
}
