import type { RentPeriod, TypeCode, TypeTransaction } from '@passerelle/domain';

/** The offers that `vermarktungsart` has a word for. */
export const OFFERS: readonly TypeTransaction[] = ['vente', 'investissement', 'location', 'location-saisonniere'];

export interface ObjectKind {
  /** The child of `objektart`. */
  name: string;
  /** Its attribute and value, where the type is more precise than the element. */
  kind?: readonly [attribute: string, value: string];
}

/** `objektart`. The format has no word for premises in general: they are `sonstige` of commercial use. */
export const KINDS: Readonly<Record<TypeCode, ObjectKind>> = {
  appartement: { name: 'wohnung' },
  maison: { name: 'haus' },
  terrain: { name: 'grundstueck' },
  parking: { name: 'parken' },
  immeuble: { name: 'zinshaus_renditeobjekt' },
  bureau: { name: 'buero_praxen' },
  local: { name: 'sonstige' },
  boutique: { name: 'einzelhandel' },
  chateau: { name: 'haus', kind: ['haustyp', 'SCHLOSS'] },
  'hotel-particulier': { name: 'haus', kind: ['haustyp', 'STADTHAUS'] },
  loft: { name: 'wohnung', kind: ['wohnungtyp', 'LOFT-STUDIO-ATELIER'] },
  fonds: { name: 'sonstige' },
  autre: { name: 'sonstige' },
};

/** Holiday homes: these kinds say that a rental is by the season. */
export const HOLIDAY_KINDS: Readonly<Partial<Record<TypeCode, ObjectKind>>> = {
  appartement: { name: 'wohnung', kind: ['wohnungtyp', 'FERIENWOHNUNG'] },
  maison: { name: 'haus', kind: ['haustyp', 'FERIENHAUS'] },
};

export const COMMERCIAL: ReadonlySet<TypeCode | undefined> = new Set<TypeCode>([
  'bureau',
  'local',
  'boutique',
  'fonds',
]);

/** `preis_zeiteinheit`; other periods are converted to a month. */
export const PERIODS: Readonly<Partial<Record<RentPeriod, string>>> = { jour: 'TAG', semaine: 'WOCHE', an: 'JAHR' };

/** `iso_land` is ISO 3166-1 alpha-3. */
export const COUNTRIES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'DE DEU,AT AUT,CH CHE,LI LIE,FR FRA,ES ESP,PT PRT,IT ITA,BE BEL,LU LUX,NL NLD,MC MCO,AD AND,GB GBR,IE IRL,DK DNK,SE SWE,' +
    'NO NOR,FI FIN,IS ISL,PL POL,CZ CZE,SK SVK,HU HUN,SI SVN,HR HRV,ME MNE,RS SRB,BA BIH,AL ALB,GR GRC,CY CYP,MT MLT,BG BGR,' +
    'RO ROU,TR TUR,EE EST,LV LVA,LT LTU,UA UKR,MA MAR,TN TUN,EG EGY,ZA ZAF,AE ARE,IL ISR,US USA,CA CAN,MX MEX,BR BRA,TH THA,' +
    'ID IDN,AU AUS,NZ NZL,GP GLP,MQ MTQ,GF GUF,RE REU,YT MYT,MF MAF,BL BLM,PM SPM,SM SMR,GI GIB'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
);

type Words = readonly (readonly [pattern: RegExp, attribute: string])[];

/** Attributes of `heizungsart`, by words of several languages. */
export const HEATING_KINDS: Words = [
  [/zentral|\bcentral|\bcv\b/i, 'ZENTRAL'],
  [/etagen/i, 'ETAGE'],
  [/\bofen/i, 'OFEN'],
  [/fern/i, 'FERN'],
  [/fu(?:ss|ß)boden|\bfloor\b|\bsol\b|pavimento/i, 'FUSSBODEN'],
];

/** Attributes of `befeuerung`. */
export const HEAT_SOURCES: Words = [
  [/\bga[sz]\b|metano/i, 'GAS'],
  [/\boel\b|\böl\b|fioul|fuel|mazout/i, 'OEL'],
  [/strom|elektr|[eé]lectr/i, 'ELEKTRO'],
  [/solar/i, 'SOLAR'],
  [/erdw(?:ä|ae)rme|g[eé]otherm/i, 'ERDWAERME'],
  [/fernw|district/i, 'FERN'],
  [/pellet/i, 'PELLET'],
  [/holz|\bbois\b|\bwood\b/i, 'HOLZ'],
];

/** Attributes of `stellplatzart`. A garage under ground is no garage of its own. */
export const PARKING_KINDS: Words = [
  [/tiefgarage|underground|souterrain/i, 'TIEFGARAGE'],
  [/carport|car port/i, 'CARPORT'],
  [/(?<!tief|underground |park)garage|\bbox\b/i, 'GARAGE'],
  [/parkhaus|parkeergarage/i, 'PARKHAUS'],
  [/freiplatz|au(?:ss|ß)enstellplatz|offstreet|ext[eé]rieur/i, 'FREIPLATZ'],
];

/** Attributes of `ausricht_balkon_terrasse`. */
export const ORIENTATIONS: Words = [
  [/s[uü]d|sued|south|zuid|\bsur\b/i, 'SUED'],
  [/(?<![a-z])(?:ost|est|este|east|oost)(?![a-z])/i, 'OST'],
  [/west|ouest|oeste|ovest/i, 'WEST'],
  [/nord|north|noord|norte/i, 'NORD'],
];

/** `zustand_art`. */
export const CONDITIONS: ReadonlySet<string> = new Set(
  (
    'ERSTBEZUG NEUWERTIG MODERNISIERT GEPFLEGT ROHBAU PROJEKTIERT ABRISSOBJEKT BAUFAELLIG ENTKERNT SANIERUNGSBEDUERFTIG ' +
    'VOLL_SANIERT TEIL_SANIERT TEIL_VOLLRENOVIERT TEIL_VOLLRENOVIERUNGSBED TEIL_VOLLSANIERT NACH_VEREINBARUNG'
  ).split(' '),
);

/** `blick` of `ausblick`. */
export const VIEWS: Words = [
  [/\bmeer|\bsea\b|\bmer\b|\bmar\b|ocean/i, 'MEER'],
  [/\bsee(?:blick)?\b|\blake\b|\blacs?\b/i, 'SEE'],
  [/berg|mountain|montagne/i, 'BERGE'],
];

/** Elements of `ausstattung` that say a feature without a field of a listing, in the order of the schema. */
export const FEATURES: Readonly<Record<string, string>> = {
  ...{
    wg_geeignet: 'WG-geeignet',
    raeume_veraenderbar: 'Räume veränderbar',
    kabel_sat_tv: 'Kabel/Sat-TV',
    dvbt: 'DVB-T',
  },
  ...{ sauna: 'Sauna', wasch_trockenraum: 'Wasch-/Trockenraum', wintergarten: 'Wintergarten' },
  ...{
    dv_verkabelung: 'DV-Verkabelung',
    rampe: 'Rampe',
    hebebuehne: 'Hebebühne',
    kran: 'Kran',
    gastterrasse: 'Gastterrasse',
  },
  ...{ kantine_cafeteria: 'Kantine/Cafeteria', teekueche: 'Teeküche', brauereibindung: 'Brauereibindung' },
  ...{ sporteinrichtungen: 'Sporteinrichtungen', wellnessbereich: 'Wellnessbereich', abstellraum: 'Abstellraum' },
  ...{ fahrradraum: 'Fahrradraum', rolladen: 'Rollläden', bibliothek: 'Bibliothek', dachboden: 'Dachboden' },
  ...{ gaestewc: 'Gäste-WC', kabelkanaele: 'Kabelkanäle', seniorengerecht: 'Seniorengerecht' },
};

export function wordsOf(text: string | undefined, words: Words): string[] {
  return words.flatMap(([pattern, attribute]) => (pattern.test(text ?? '') ? [attribute] : []));
}
