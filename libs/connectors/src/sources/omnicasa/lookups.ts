import type { TitleWord } from '../../kit/title-words';
import type { TypeCode, TypeTransaction } from '@passerelle/domain';
import { toCountry } from '../../kit/clean/place';
import { wordTable } from '../../kit/word-table';
import { hidden, LET, type Showing, SHOWN, SOLD } from '../../kit/status';

/** The numbers of languages in the API, for `LanguageId`. */
const LANGUAGES: Readonly<Record<string, number>> = { nl: 1, fr: 2, en: 3, de: 4, es: 5 };
const USUAL_LANGUAGE = 'fr';

export function languageOf(settings: Readonly<Record<string, string>>): string {
  const wanted = settings['langue']?.trim().slice(0, 2).toLowerCase() ?? '';
  return wanted in LANGUAGES ? wanted : USUAL_LANGUAGE;
}

export function languageNumberOf(settings: Readonly<Record<string, string>>): number {
  return LANGUAGES[languageOf(settings)] ?? 2;
}

/** `Status`: the reason to hide a property; empty if it is shown. */
export const STATUSES = wordTable<Showing>({
  ...{ 0: hidden('prospective'), 1: SHOWN, 2: SOLD, 3: hidden('cancelled'), 4: { ...LET, withdrawn: 'rented' } },
  ...{ 5: hidden('inactive'), 6: hidden('reference') },
});

/** `Goal`. 2 is the takeover of a business. */
export const GOALS = wordTable<TypeTransaction>({ 0: 'vente', 1: 'location', 2: 'fonds-de-commerce' });

export interface PropertyType {
  code: TypeCode;
  title: TitleWord;
}

const type = (code: TypeCode, title: TitleWord): PropertyType => ({ code, title });
const each = (meaning: PropertyType, words: string): Record<string, PropertyType> =>
  Object.fromEntries(words.split('|').map((word) => [word.trim(), meaning]));

const flat = type('appartement', 'Appartement');
const house = type('maison', 'Maison');
const office = type('bureau', 'Bureau');
const industrial = type('local', 'Bâtiment industriel');
const shop = type('boutique', 'Commerce');
const plot = type('terrain', 'Terrain à bâtir');

/** `MainTypeName` and `WebIDName`, in the languages that can be requested. */
export const TYPES = wordTable<PropertyType>({
  ...each(flat, 'appartement | apartment | wohnung | flat | appartement (algemeen) | appartement (général)'),
  ...each(type('appartement', 'Duplex'), 'duplex | duplex/triplex | triplex | maisonette'),
  ...each(
    type('appartement', 'Studio'),
    'studio | flat/studio | kot | studentenkamer | chambre | kamer | room | chambre d’étudiant',
  ),
  ...each(type('appartement', 'Rez-de-chaussée'), 'rez-de-chaussée | gelijkvloers | ground floor | rez-de-jardin'),
  ...each(type('appartement', 'Penthouse'), 'penthouse | duplex penthouse | dakappartement'),
  ...each(type('loft', 'Loft'), 'loft'),
  ...each(
    house,
    'maison | huis | woning | house | haus | woonhuis | maison (général) | huis (algemeen) | maison unifamiliale',
  ),
  ...each(
    house,
    'eengezinswoning | single family house | bel-étage | bel-etage | maison meublée | gemeubelde woning | rijwoning',
  ),
  ...each(house, 'maison de ville | stadswoning | town house | maison de rapport unifamiliale | halfopen bebouwing'),
  ...each(type('maison', 'Villa'), 'villa | villa/maison/ferme | villa meublée | gemeubelde villa'),
  ...each(
    type('maison', 'Ferme'),
    'ferme | hoeve | farm | boerderij | fermette | farmhouse | landhuis | ferme carrée | vierkantshoeve',
  ),
  ...each(type('maison', 'Bungalow'), 'bungalow'),
  ...each(type('maison', 'Chalet'), 'chalet'),
  ...each(type('maison', 'Maison de maître'), 'maison de maître | herenhuis | mansion | herrenhaus'),
  ...each(
    type('maison', 'Propriété'),
    'propriété | eigendom | property | propriété de charme | propriété de prestige | propriété rurale',
  ),
  ...each(type('chateau', 'Château'), 'château | kasteel | castle | schloss'),
  ...each(
    plot,
    'terrain | terrain à bâtir | bouwgrond | building lot | perceel | lot | grond | grundstück | lotissement',
  ),
  ...each(
    type('terrain', 'Terrain agricole'),
    'terre agricole | terrain agricole | landbouwgrond | farmland | zone verte | groenzone',
  ),
  ...each(
    type('immeuble', 'Immeuble'),
    'immeuble | gebouw | building | immeuble de rapport | opbrengsteigendom | investment property',
  ),
  ...each(
    type('immeuble', 'Immeuble à appartements'),
    'immeuble à appartements | appartementsgebouw | apartment building',
  ),
  ...each(
    type('immeuble', 'Immeuble mixte'),
    'immeuble mixte | gemengd gebouw | mixed | mixte | handelspand met woonst',
  ),
  ...each(
    office,
    'bureau | bureaux | kantoor | kantoren | office | offices | büro | immeuble de bureaux | kantoorgebouw | office building',
  ),
  ...each(
    industrial,
    'bâtiment industriel | industriegebouw | industrial building | entrepôt | magazijn | opslagplaats | storage | loods',
  ),
  ...each(
    shop,
    'commerce | magasin | winkel | shop | handelspand | rez commercial | handelsruimte | commercial space | surface commerciale',
  ),
  ...each(shop, 'local commercial | bâtiment commercial | handelsgebouw | commercial building | villa/maison/commerce'),
  ...each(
    type('parking', 'Garage'),
    'garage | parking | parking/garage | garage/parking | staanplaats | autostaanplaats | box | parkeerplaats',
  ),
  ...each(type('maison', 'Nouvelle construction'), 'nouvelle construction | nieuwbouw | new construction'),
});

/** `CountryAbbr`: country codes of vehicle plates, and letters that only this API uses. */
const COUNTRIES = wordTable<string>({
  ...{ A: 'AT', B: 'BE', CH: 'CH', D: 'DE', DK: 'DK', EIR: 'IE', ESP: 'ES', F: 'FR', FIN: 'FI', FL: 'LI', GB: 'GB' },
  ...{ GR: 'GR', H: 'HU', HRV: 'HR', I: 'IT', L: 'LU', MAR: 'MA', MC: 'MC', N: 'NO', NL: 'NL', P: 'PT', PL: 'PL' },
  ...{ RO: 'RO', SE: 'SE', TR: 'TR', TUR: 'TR', TUN: 'TN', USA: 'US', ARE: 'AE', BG: 'BG', CY: 'CY', CZ: 'CZ' },
});

/** The country for a code, else the code itself, because another table may know it. */
export function countryOf(sign: string | undefined): string | undefined {
  return sign === undefined ? undefined : (COUNTRIES.find(sign) ?? toCountry(sign) ?? sign);
}
