import type { Listing } from '@passerelle/domain';
import { toInteger } from './number';
import { foldWord } from './fold-word';

export type Features = Pick<
  Listing,
  | 'ascenseur'
  | 'balcon'
  | 'cheminee'
  | 'climatisation'
  | 'cuisineEquipee'
  | 'etage'
  | 'jardin'
  | 'meuble'
  | 'nbreEtages'
  | 'parking'
  | 'piscine'
  | 'terrasse'
>;
type FlagField = Exclude<keyof Features, 'etage' | 'nbreEtages'>;

/** Words of English, Spanish, French, German, Dutch, Italian, Portuguese, Swedish, Norwegian, Danish; folded. */
const WORDS: Readonly<Record<FlagField, RegExp>> = {
  ascenseur:
    /\b(?:lifts?|elevators?|ascensor(?:es|e|i)?|ascenseurs?|elevador(?:es)?|aufzug|aufzuge|fahrstuhl|personenaufzug|hiss|heis|elevator)\b/,
  balcon: /\b\w*(?:balcon(?:y|ies|es|s|e|i)?|balkong?(?:s|er|e)?|balkons|balcao|varandas?)\b/,
  cheminee:
    /\b(?:fireplaces?|chimeneas?|cheminees?|(?:kachel|kamin)(?:ofen)?|offener kamin|open haard|openhaard|lareiras?|caminetto|peis)\b/,
  climatisation:
    /\b(?:air ?condition(?:ing|ed|er|ers)?|air con|aire? acondicionado|climatisation|climatise|klimaanlage|klimatisiert|airco(?:nditioning)?|aria condizionata|ar condicionado|luftkonditionering|aircondition)\b/,
  cuisineEquipee:
    /\b(?:(?:fully )?(?:fitted|equipped) kitchens?|kitchens? (?:fully )?(?:fitted|equipped)|cocina (?:totalmente |completamente )?equipada|cuisine (?:entierement )?equipee|einbaukuche|ingerichte keuken|uitgeruste keuken|cucina attrezzata|cozinha equipada)\b/,
  jardin: /\b(?:gardens?|jardin(?:es|s)?|garten|tuin|giardino|jardim|jardins|tradgard|hage)\b/,
  meuble:
    /\b(?:furnished|amueblad[ao]s?|meublee?s?|mobliert|moebliert|gemeubileerd|moblera[td]|moblert|mobleret|ammobiliat[ao]|arredat[ao]|mobilad[ao]s?)\b/,
  parking:
    /\b(?:parking|garages?|garag?[jg]es?|garagem|garagen|garasje|garagenplatz|stellplatz|stellplatze|tiefgarage|parkplatz|parkplatze|parkeer\w*|parkering\w*|carports?|car ports?|aparcamientos?|estacion?amientos?|estacionamentos?|parcheggi?o?|posto auto|box auto)\b/,
  piscine: /\b(?:\w*pools?|piscinas?|piscines?|piscin[ae]|\w*schwimmbad|zwembad|svommebasseng|svommebassin)\b/,
  terrasse:
    /\b\w*terra(?:ce|ces|za|zas|zza|zze|zzo|zzi|sse|sses|ssen|ss|sser|s|co|cos)\b|\b(?:roof|sun) ?deck\b|\bpatio\b/,
};

/** Words that show that a match is not about the property: shared facilities, the neighbourhood, goods lifts. */
const SOMETHING_ELSE: Readonly<Record<FlagField, RegExp>> = {
  ascenseur: /\b(?:ski|goods|service|stair|chair|boat|car|lasten\w*|monte)\b/,
  balcon: /$^/,
  cheminee: /\b(?:gas connection|outdoor|exterior|barbecue)\b/,
  climatisation: /\b(?:pre ?install\w*|preinstal\w*|car)\b/,
  cuisineEquipee: /$^/,
  jardin:
    /\b(?:communal|community|comunitari[ao]s?|comun|commune?|collecti\w+|shared|gemeinschaft\w*|gemeenschappelijk\w*|condominiale|public[oa]?s?|near|close to|cerca|views?|vistas?|vue|sur jardin|furniture|centre|winter|d hiver|abri|shed|zoo\w*|faelles|felles\w*|felleshage)\b/,
  meuble: /\b(?:kitchen|cocina|cuisine|kuche|keuken|cucina|cozinha|kok|kjokken|bathroom)\b/,
  parking: /\b(?:(?<!off )street|public[oa]?s?|publique|near\w*|close to|cerca|proche|nahe|municipal|rue|visitors?)\b/,
  piscine:
    /\b(?:communal|community|comunitari[ao]|comun|commune|collective|shared|gemeinschaft\w*|gemeenschappelijk\w*|condominiale|table|room|municipal|public|near|close to|cerca|felles\w*|whirl\w*|car)\b/,
  terrasse: /$^/,
};
/** Words that make an answer neither yes nor no. */
const PARTLY =
  /\b(?:part\w*|semi\w*|teil\w*|option\w*|opcional|negotiable|deels|gedeeltelijk|delvis|possib\w+|posible|prevu|preinstal\w*)\b/;

const NO_AHEAD =
  /(?:^| )(?:no|not|without|sin|sans|pas(?: d)?|aucune?|ohne|kein\w*|nicht|geen|niet|zonder|utan|uten|uden|ingen|non|senza|sem|nao)(?: (?:de|d|the|any|einen?|private?|vaste))? $/;
const NO_BEHIND = /^ (?:no|non|nein|nee|nej|nei|nao)$/;
const UNFURNISHED =
  /\b(?:unfurnished|sin (?:amueblar|muebles)|non meublee?s?|unmobliert|unmoebliert|ongemeubileerd|omoblerad|umoblert|umobleret|sem mobilia)\b/;

const FLAG_FIELDS = Object.keys(WORDS) as FlagField[];

/** `notice` gets texts with a floor whose sign is uncertain. A feature that is not mentioned is unknown; when features contradict each other, the positive one counts. */
export function toFeatures(texts: Iterable<string>, notice?: (text: string) => void): Features {
  const features: Features = {};
  for (const text of texts) {
    const { flags, floor, floors, isDoubtful } = remembered.get(text) ?? remember(text);
    if (isDoubtful) notice?.(text);
    for (const [field, flag] of flags) {
      if (flag || features[field] === undefined) features[field] = flag;
    }
    if (floor !== undefined) features.etage ??= floor;
    if (floors !== undefined) features.nbreEtages ??= floors;
  }
  return features;
}

/** The features found in one text. */
interface Feature {
  flags: readonly (readonly [FlagField, boolean])[];
  floor: number | undefined;
  floors: number | undefined;
  isDoubtful: boolean;
}

/** The size of the cache: feeds repeat a few words. */
const REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 60;
const remembered = new Map<string, Feature>();

function remember(text: string): Feature {
  const feature = readFeature(foldWord(text), signIn(text));
  if (remembered.size < REMEMBERED && text.length <= LONGEST_REMEMBERED) remembered.set(text, feature);
  return feature;
}

function readFeature(folded: string, sign: Sign): Feature {
  const flags = FLAG_FIELDS.flatMap((field): [FlagField, boolean][] => {
    const flag = flagIn(folded, field);
    return flag === undefined ? [] : [[field, flag]];
  });
  const floors = firstGroup(folded, FLOORS);
  const floor = floorIn(folded);
  const isDoubtful = floor !== undefined && floor !== 0 && sign === 'unclear';
  const signed = floor === undefined || isDoubtful ? undefined : sign === 'minus' && floor !== 0 ? -floor : floor;
  return { flags, isDoubtful, floor: signed, floors: floors !== undefined && floors > 0 ? floors : undefined };
}

function flagIn(folded: string, field: FlagField): boolean | undefined {
  if (field === 'meuble' && UNFURNISHED.test(folded)) return false;
  const found = WORDS[field].exec(folded);
  if (found === null || SOMETHING_ELSE[field].test(folded) || PARTLY.test(folded)) return undefined;
  const behind = folded.slice(found.index + found[0].length);
  return !(NO_AHEAD.test(folded.slice(0, found.index)) || NO_BEHIND.test(behind));
}

const GROUND =
  /^(?:on |en |au |im )?(?:the )?(?:ground floor|planta baja|en planta baja|bajo|rez de chaussee|rdc|erdgeschoss|begane grond|bottenvaning|stueetage|piano terra|res do chao)(?: (?:apartment|flat|apartamento|wohnung|appartement))?$/;
const FLOOR = '(?:floor|planta|etage|piso|piano|andar|verdieping|og|obergeschoss|stock|vaning|etasje|sal|level)';
const ORDINAL_FLOOR = new RegExp(
  `^(?:on |en |au |im )?(?:the )?(\\d{1,2}) ?(?:st|nd|rd|th|er|ere|e|eme|de|ste|[aoªº])? ${FLOOR}(?: (?:apartment|flat|apartamento|wohnung|appartement))?$`,
);
const NAMED_FLOOR = new RegExp(`^${FLOOR}(?: (?:no|number|nr|num))? (\\d{1,2})$`);
const FLOORS =
  /^(?:(?:number|no) of (?:floors|storeys|stories|levels)|(?:numero|no) de (?:plantas|pisos)|nombre d etages|anzahl etagen|floors|plantas|etagen|storeys|stories|levels|verdiepingen|niveaux|piani) (\d{1,2})$|^(\d{1,2}) (?:floors|plantas|etagen|storeys|stories|levels|verdiepingen|niveaux|piani)$/;

function floorIn(folded: string): number | undefined {
  if (GROUND.test(folded)) return 0;
  return firstGroup(folded, ORDINAL_FLOOR) ?? firstGroup(folded, NAMED_FLOOR);
}

type Sign = 'minus' | 'none' | 'unclear';

const DASH_AHEAD = /[-\u2010-\u2015\u2212]\s?\d/;
const MINUS = /(?:^|[\s:(])[-\u2012\u2013\u2212]\d/;

/** Only `Planta -1` is negative; in `Planta - 1` and `Planta-1` the dash may be a separator. Takes the text before folding. */
function signIn(text: string): Sign {
  if (!DASH_AHEAD.test(text)) return /\b(?:minus|moins|menos|meno)\s\d/i.test(text) ? 'minus' : 'none';
  return MINUS.test(text) ? 'minus' : 'unclear';
}

function firstGroup(text: string, pattern: RegExp): number | undefined {
  return toInteger(pattern.exec(text)?.slice(1).join(''));
}
