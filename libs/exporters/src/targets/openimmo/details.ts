import type { Listing } from '@passerelle/domain';
import { decimal } from '../../kit/text';
import { element, emptyElement, group, type XmlValue } from '../../kit/xml';
import { energyElement } from './energy';
import {
  CONDITIONS,
  FEATURES,
  HEAT_SOURCES,
  HEATING_KINDS,
  ORIENTATIONS,
  PARKING_KINDS,
  VIEWS,
  wordsOf,
} from './lookups';

/** `flaechen`, in the order of the schema. */
export function areasElement(listing: Listing): string {
  const { surfacePlage, parking, nbreParkings } = listing;
  const spaces = nbreParkings ?? (parking === true && parkingKinds(listing).length === 0 ? 1 : undefined);
  return group('flaechen', [
    number('wohnflaeche', listing.typeCode === 'terrain' ? undefined : listing.surfaceHabitable),
    number('nutzflaeche', listing.surfaceUtile),
    number('gesamtflaeche', listing.surfaceTotale),
    number('bueroflaeche', listing.surfaceBureaux),
    number('grundstuecksflaeche', listing.surfaceTerrain),
    number('anzahl_zimmer', listing.nbrePieces),
    number('anzahl_schlafzimmer', listing.nbreChambres),
    number('anzahl_badezimmer', bathroomsOf(listing)),
    number('anzahl_sep_wc', listing.nbreWc),
    // The elements are numbers: a balcony is at least one.
    element('anzahl_balkone', listing.balcon === true ? 1 : undefined),
    element('anzahl_terrassen', listing.terrasse === true ? 1 : undefined),
    element('anzahl_stellplaetze', spaces),
    number('flaechevon', surfacePlage?.min),
    number('flaechebis', surfacePlage?.max),
  ]);
}

/** `anzahl_badezimmer` counts all bathrooms, those with a shower among them. */
export function bathroomsOf({ nbreSallesDeBain, nbreSallesEau }: Listing): number | undefined {
  if (nbreSallesDeBain === undefined) return nbreSallesEau;
  return nbreSallesDeBain + (nbreSallesEau ?? 0);
}

export function parkingKinds({ parkingType }: Listing): string[] {
  return wordsOf(parkingType, PARKING_KINDS);
}

/** `ausstattung`, in the order of the schema. */
export function equipmentElement(listing: Listing): string {
  const { caracteristiques = [] } = listing;
  const features = Object.entries(FEATURES).map(([name, word]): [string, string] => [
    name,
    element(name, caracteristiques.includes(word) ? true : undefined),
  ]);
  const named = (...names: readonly string[]): string[] =>
    features.flatMap(([name, xml]) => (names.includes(name) ? [xml] : []));
  return group('ausstattung', [
    ...named('wg_geeignet', 'raeume_veraenderbar'),
    emptyElement('kueche', { EBK: listing.cuisineEquipee }),
    element('kamin', listing.cheminee),
    attributes('heizungsart', wordsOf(listing.chauffageType, HEATING_KINDS)),
    attributes('befeuerung', wordsOf(listing.chauffageEnergie, HEAT_SOURCES)),
    element('klimatisiert', listing.climatisation),
    emptyElement('fahrstuhl', { PERSONEN: listing.ascenseur }),
    attributes('stellplatzart', parkingKinds(listing)),
    element('gartennutzung', listing.jardin),
    attributes('ausricht_balkon_terrasse', wordsOf(listing.exposition, ORIENTATIONS)),
    // The format has words for fully and partly furnished only.
    emptyElement('moebliert', { moeb: listing.meuble === true ? 'VOLL' : undefined }),
    element('rollstuhlgerecht', listing.accessible),
    ...named('kabel_sat_tv', 'dvbt', 'sauna'),
    element('swimmingpool', listing.piscine),
    ...named('wasch_trockenraum', 'wintergarten', 'dv_verkabelung', 'rampe', 'hebebuehne', 'kran', 'gastterrasse'),
    ...named('kantine_cafeteria', 'teekueche', 'brauereibindung', 'sporteinrichtungen', 'wellnessbereich'),
    emptyElement('unterkellert', { keller: yesOrNo(listing.cave) }),
    ...named('abstellraum', 'fahrradraum', 'rolladen', 'bibliothek', 'dachboden', 'gaestewc', 'kabelkanaele'),
    ...named('seniorengerecht'),
  ]);
}

/** `zustand_angaben` and `infrastruktur`. */
export function conditionElements(listing: Listing): string[] {
  const { etat, neuf, statut, vue } = listing;
  const condition = etat?.toUpperCase();
  const views = wordsOf(vue, VIEWS);
  return [
    group('zustand_angaben', [
      element('baujahr', listing.anneeConstruction),
      emptyElement('zustand', {
        zustand_art: condition !== undefined && CONDITIONS.has(condition) ? condition : undefined,
      }),
      emptyElement('alter', { alter_attr: neuf === true ? 'NEUBAU' : undefined }),
      energyElement(listing),
      emptyElement('verkaufstatus', { stand: statut === undefined ? 'OFFEN' : 'RESERVIERT' }),
    ]),
    // The element has one view.
    group('infrastruktur', [emptyElement('ausblick', { blick: views.length === 1 ? views[0] : undefined })]),
  ];
}

function yesOrNo(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : value ? 'JA' : 'NEIN';
}

function attributes(name: string, words: readonly string[]): string {
  return emptyElement(name, Object.fromEntries(words.map((word) => [word, true])));
}

function number(name: string, value: number | undefined): string {
  const written: XmlValue = value === undefined ? undefined : decimal(value);
  return element(name, written);
}
