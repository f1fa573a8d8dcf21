import type { XmlRecord } from '../../formats/xml-records';
import { toInteger } from '../../kit/clean/number';
import { foldWord, toFlag } from '../../kit/clean/fold-word';
import { inOneLine, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { FURNITURE, GARDENS } from './lookups';

const at = {
  floor: compilePath('extra-features.floor'),
  furniture: compilePath('extra-features.furniture'),
  garden: compilePath('extra-features.garden'),
  garage: compilePath('extra-features.garage'),
  contract: compilePath('extra-features.rent-contract'),
  kitchen: compilePath('extra-features.kitchen'),
  class: compilePath('building.class'),
  zero: compilePath('features.energy-class.@zero'),
  heating: compilePath('extra-features.ambience.heating'),
  oldHeating: compilePath('extra-features.heating'),
  cooling: compilePath('extra-features.ambience.air-conditioning'),
  oldCooling: compilePath('extra-features.air-conditioning'),
};

const typeOf = (element: unknown): string | undefined =>
  textOf((listOf(element)[0] as XmlRecord | undefined)?.['@type']);

/** The floor: a number, or a kind of floor without a number, such as `PianoTerra`, the ground floor. */
export function floorOf(record: XmlRecord): number | undefined {
  const element = at.floor(record);
  const kind = foldWord(typeOf(element) ?? '');
  if (kind === 'edificio' || kind === 'multipiano') return undefined;
  const number = toInteger(scalarOf(element));
  if (kind === 'pianoterra' || kind === 'rialzato' || kind === 'controterra') return number ?? 0;
  // Below ground the format allows both signs: `1` for a cellar is -1.
  if (kind === 'interrato' || kind === 'seminterrato')
    return number === undefined || number === 0 ? -1 : -Math.abs(number);
  return number;
}

export function furnishedOf(record: XmlRecord, context: RecordContext): boolean | undefined {
  const found = lookUp(FURNITURE, textOf(at.furniture(record)), 'extra-features.furniture', context);
  return found === 'partly' ? undefined : found;
}

/** A shared garden is in `caracteristiques` instead. */
export function gardenOf(record: XmlRecord, context: RecordContext): boolean | undefined {
  const found = lookUp(GARDENS, textOf(at.garden(record)), 'extra-features.garden', context);
  return found === 'shared' ? undefined : found;
}

/** The parking: `No`, or a kind of garage with the number of spaces. */
export function parkingOf(record: XmlRecord): { parking?: boolean; nbreParkings?: number; parkingType?: string } {
  const element = at.garage(record);
  const kind = typeOf(element);
  if (kind === undefined) return {};
  if (foldWord(kind) === 'no') return { parking: false };
  const count = toInteger(scalarOf(element));
  return { parking: true, parkingType: kind, ...(count !== undefined && count > 0 && { nbreParkings: count }) };
}

export function heatingOf(record: XmlRecord): string | undefined {
  const element = listOf(at.heating(record))[0] as XmlRecord | undefined;
  return inOneLine([typeOf(element), element?.['system'], at.oldHeating(record)]);
}

/** A preparation for air conditioning leaves this unknown. */
export function coolingOf(record: XmlRecord): boolean | undefined {
  const kind = foldWord(typeOf(at.cooling(record)) ?? '');
  if (kind === 'autonomo' || kind === 'centralizzato') return true;
  if (kind === 'assente') return false;
  return kind === '' ? toFlag(scalarOf(at.oldCooling(record))) : undefined;
}

const YES = namesOfYes({
  'extra-features.security-alarm': 'Allarme',
  'extra-features.reception': 'Reception',
  'extra-features.net': 'Rete',
  'extra-features.available-now': 'Libero subito',
  'extended.entrance': 'Ingresso',
  'extended.closet': 'Ripostiglio',
  'extended.tavern': 'Taverna',
  'extended.penthouse': 'Mansarda',
  'extended.security-door': 'Porta blindata',
  'extended.tub': 'Idromassaggio',
  'extended.security-alarm': 'Allarme',
  'extended.swimming-pool': 'Piscina',
  'extended.tennis': 'Tennis',
  'extended.electric-gate': 'Cancello elettrico',
  'extended.optical-fiber': 'Fibra ottica',
  'extended.concierge': 'Portineria',
  'extended.video-intercom': 'Videocitofono',
  'extended.inner-exposition': 'Esposizione interna',
  'extended.outer-exposition': 'Esposizione esterna',
});

export function featuresOf(record: XmlRecord): string[] {
  const words = [
    ['Cucina', at.kitchen(record)],
    ['Giardino', at.garden(record)],
    ['Contratto', at.contract(record)],
    ['Classe immobile', at.class(record)],
  ].flatMap(([name, value]) => {
    const word = textOf(value);
    return word === undefined || /^nessuno$/i.test(word) ? [] : [`${String(name)}: ${word}`];
  });
  const isZero = toFlag(scalarOf(at.zero(record))) === true;
  const furniture = textOf(at.furniture(record));
  const isPartly = furniture !== undefined && FURNITURE.find(furniture) === 'partly';
  return [
    ...words,
    ...(isPartly ? [furniture] : []),
    ...YES(record),
    ...(isZero ? ['Edificio a energia quasi zero'] : []),
  ];
}
