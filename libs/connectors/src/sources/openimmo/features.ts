import type { XmlRecord } from '../../formats/xml-records';
import { features, inOneLine, inWords, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { toFlag } from '../../kit/clean/fold-word';
import { toNumber } from '../../kit/clean/number';
import { compilePath, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { attributeOf, trueAttributes } from './attributes';

/** Yes-or-no elements that have no listing field, each with the words to show. */
const FLAGS = {
  ...inSection('ausstattung', {
    ...{ sauna: 'Sauna', wintergarten: 'Wintergarten', wasch_trockenraum: 'Wasch-/Trockenraum', gaestewc: 'Gäste-WC' },
    ...{ kabel_sat_tv: 'Kabel/Sat-TV', dvbt: 'DVB-T', abstellraum: 'Abstellraum', fahrradraum: 'Fahrradraum' },
    ...{ rolladen: 'Rollläden', bibliothek: 'Bibliothek', dachboden: 'Dachboden', wg_geeignet: 'WG-geeignet' },
    ...{ raeume_veraenderbar: 'Räume veränderbar', dv_verkabelung: 'DV-Verkabelung', rampe: 'Rampe', kran: 'Kran' },
    ...{ hebebuehne: 'Hebebühne', gastterrasse: 'Gastterrasse', kantine_cafeteria: 'Kantine/Cafeteria' },
    ...{ teekueche: 'Teeküche', brauereibindung: 'Brauereibindung', sporteinrichtungen: 'Sporteinrichtungen' },
    ...{ wellnessbereich: 'Wellnessbereich', seniorengerecht: 'Seniorengerecht', kabelkanaele: 'Kabelkanäle' },
  }),
  ...inSection('verwaltung_objekt', {
    denkmalgeschuetzt: 'Denkmalgeschützt',
    nichtraucher: 'Nichtraucher',
    wbs_sozialwohnung: 'Sozialwohnung (WBS)',
  }),
};
const flags = namesOfYes(FLAGS);
const development = compilePath('zustand_angaben.erschliessung');
const modernized = compilePath('zustand_angaben.letztemodernisierung');
/** Elements whose attributes are words of the schema: `<boden PARKETT="true"/>`. */
const WORDS = ['bad', 'boden', 'energietyp', 'sicherheitstechnik', 'serviceleistungen'].map((name) =>
  compilePath(`ausstattung.${name}`),
);

export const FEATURES = features<XmlRecord>((record) => [
  ...flags(record),
  ...WORDS.flatMap((wordAt) => trueAttributes(wordAt(record))),
  attributeOf(development(record), 'erschl_attr'),
  ...modernization(record),
]);

/** The schema has a text, usually a year. */
function modernization(record: XmlRecord): string[] {
  const when = textOf(modernized(record));
  return when === undefined || /^0+$/.test(when) ? [] : [`Letzte Modernisierung: ${when}`];
}

/** The names of the true attributes: `<befeuerung GAS="true" SOLAR="1"/>` is "GAS, SOLAR". */
function attributes(path: string): v.Verb<XmlRecord, string> {
  const elementAt = compilePath(path);
  return v.computed((record: XmlRecord) => inOneLine(trueAttributes(elementAt(record))), path);
}

export const HEATING_TYPE = attributes('ausstattung.heizungsart');
export const HEAT_SOURCE = attributes('ausstattung.befeuerung');
export const ORIENTATION = attributes('ausstattung.ausricht_balkon_terrasse');

const at = {
  kitchen: compilePath('ausstattung.kueche'),
  cellar: compilePath('ausstattung.unterkellert'),
  view: compilePath('infrastruktur.ausblick'),
  condition: compilePath('zustand_angaben.zustand'),
  parking: compilePath('ausstattung.stellplatzart'),
  from: compilePath('verwaltung_objekt.verfuegbar_ab'),
};

/** The condition and the view are one word each, in an attribute. */
export const CONDITION = v.computed(
  (record: XmlRecord) => inOneLine([attributeOf(at.condition(record), 'zustand_art')]),
  'zustand_angaben.zustand.@zustand_art',
);
export const VIEW = v.computed(
  (record: XmlRecord) => inOneLine([attributeOf(at.view(record), 'blick')]),
  'infrastruktur.ausblick.@blick',
);

/** EBK is a fitted kitchen. */
export const FITTED_KITCHEN = v.computed(
  (record: XmlRecord) => toFlag(scalarOf(attributeOf(at.kitchen(record), 'EBK'))),
  'ausstattung.kueche.@EBK',
);

/** TEIL, a cellar under a part of the house, counts as a cellar. */
export const CELLAR = v.first(
  v.computed((record: XmlRecord, context: RecordContext) => {
    const word = textOf(attributeOf(at.cellar(record), 'keller')) ?? textOf(at.cellar(record));
    if (word === undefined) return undefined;
    const said = /^teil/i.test(word) || toFlag(word);
    if (said === undefined) context.warn('unknown_word', 'ausstattung.unterkellert', word.slice(0, 120));
    return said;
  }, 'ausstattung.unterkellert.@keller'),
  v.anyOf('flaechen.kellerflaeche'),
);

/** The kinds of parking spaces in `preise`. Each element gives a rent or price, and the number of spaces. */
const PARKING_PRICES = ['carport', 'duplex', 'freiplatz', 'garage', 'parkhaus', 'tiefgarage', 'sonstige'].map(
  (kind) => ({ kind: kind.toUpperCase(), at: compilePath(`preise.stp_${kind}`) }),
);

function pricedSpaces(record: XmlRecord): { kind: string; count: number }[] {
  return PARKING_PRICES.flatMap(({ kind, at: elementAt }) => {
    const count = toNumber(scalarOf(attributeOf(elementAt(record), 'anzahl'))) ?? 0;
    return count > 0 && Number.isInteger(count) ? [{ kind, count }] : [];
  });
}

export const PARKING_SPACES = v.first(
  v.integer('flaechen.anzahl_stellplaetze'),
  v.computed((record: XmlRecord) => pricedSpaces(record).reduce((sum, { count }) => sum + count, 0) || undefined),
);
export const PARKING_TYPE = v.computed((record: XmlRecord) =>
  inOneLine([...trueAttributes(at.parking(record)), ...pricedSpaces(record).map(({ kind }) => kind)]),
);

/** A text such as "ab sofort". A text that is only a date goes to `disponibilite`. */
export const AVAILABILITY = v.when<XmlRecord, string>(
  (record) => /\p{L}/u.test(textOf(at.from(record)) ?? ''),
  inWords('verwaltung_objekt.verfuegbar_ab'),
);

function inSection(section: string, names: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([name, word]) => [`${section}.${name}`, word]));
}
