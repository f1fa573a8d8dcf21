import { toNumber } from './number';
import { foldWord } from './fold-word';

/** Countries of listings: alpha-2, alpha-3, then names in French, English, Spanish and German, folded. */
const COUNTRIES = `
FR FRA france|francia|frankreich|france metropolitaine|frankrijk|franca
ES ESP espagne|spain|espana|spanien|spanje|spagna|espanha
PT PRT portugal|portogallo
IT ITA italie|italy|italia|italien
DE DEU allemagne|germany|alemania|deutschland|duitsland|germania|alemanha
AT AUT autriche|austria|osterreich|oostenrijk
CH CHE suisse|switzerland|suiza|schweiz|svizzera|zwitserland|suica
BE BEL belgique|belgium|belgica|belgien|belgie|belgio
LU LUX luxembourg|luxemburgo|luxemburg|lussemburgo
NL NLD pays bas|netherlands|paises bajos|niederlande|holland|hollande|nederland|paesi bassi|paises baixos
MC MCO monaco
AD AND andorre|andorra
GB GBR royaume uni|united kingdom|reino unido|vereinigtes konigreich|angleterre|england|great britain|grande bretagne|uk|scotland|ecosse|wales|verenigd koninkrijk|engeland|regno unito
IE IRL irlande|ireland|irlanda|irland|ierland
DK DNK danemark|denmark|dinamarca|danmark|denemarken|danimarca
SE SWE suede|sweden|suecia|schweden|zweden|svezia
NO NOR norvege|norway|noruega|norwegen|noorwegen|norvegia
FI FIN finlande|finland|finlandia|finnland
IS ISL islande|iceland|islandia|island
PL POL pologne|poland|polonia|polen
CZ CZE republique tcheque|tchequie|czech republic|czechia|republica checa|tschechien
SK SVK slovaquie|slovakia|eslovaquia|slowakei
HU HUN hongrie|hungary|hungria|ungarn|hongarije|ungheria
SI SVN slovenie|slovenia|eslovenia|slowenien
HR HRV croatie|croatia|croacia|kroatien|kroatie|croazia
ME MNE montenegro
RS SRB serbie|serbia|serbien
BA BIH bosnie herzegovine|bosnia and herzegovina
AL ALB albanie|albania|albanien
GR GRC grece|greece|grecia|griechenland|griekenland
CY CYP chypre|cyprus|chipre|zypern
MT MLT malte|malta
BG BGR bulgarie|bulgaria|bulgarien|bulgarije
RO ROU roumanie|romania|rumania|rumanien
TR TUR turquie|turkey|turkiye|turquia|turkei|turkije|turchia
EE EST estonie|estonia|estland
LV LVA lettonie|latvia|letonia|lettland
LT LTU lituanie|lithuania|lituania|litauen
UA UKR ukraine|ucrania
RU RUS russie|russia|rusia|russland
MA MAR maroc|morocco|marruecos|marokko|marocco
TN TUN tunisie|tunisia|tunez|tunesien
DZ DZA algerie|algeria|argelia|algerien
EG EGY egypte|egypt|egipto|agypten
SN SEN senegal
CI CIV cote d ivoire|ivory coast|costa de marfil|elfenbeinkuste
CV CPV cap vert|cape verde|cabo verde
MU MUS ile maurice|maurice|mauritius|mauricio
MG MDG madagascar|madagaskar
ZA ZAF afrique du sud|south africa|sudafrica|sudafrika
KE KEN kenya|kenia
AE ARE emirats arabes unis|united arab emirates|emiratos arabes unidos|vereinigte arabische emirate|uae|dubai
IL ISR israel
LB LBN liban|lebanon|libano|libanon
SA SAU arabie saoudite|saudi arabia
QA QAT qatar|katar
US USA etats unis|united states|estados unidos|vereinigte staaten|united states of america|etats unis d amerique|verenigde staten|stati uniti
CA CAN canada|kanada
MX MEX mexique|mexico|mexiko
BR BRA bresil|brazil|brasil|brasilien
AR ARG argentine|argentina|argentinien
CL CHL chili|chile
CR CRI costa rica
PA PAN panama
DO DOM republique dominicaine|dominican republic|republica dominicana|dominikanische republik
TH THA thailande|thailand|tailandia
ID IDN indonesie|indonesia|indonesien|bali
KH KHM cambodge|cambodia|camboya|kambodscha
VN VNM vietnam|viet nam
MN MNG mongolie|mongolia
JP JPN japon|japan
CN CHN chine|china
IN IND inde|india|indien
SG SGP singapour|singapore|singapur
AU AUS australie|australia|australien
NZ NZL nouvelle zelande|new zealand|nueva zelanda|neuseeland
GP GLP guadeloupe|guadalupe
MQ MTQ martinique|martinica
GF GUF guyane|guyane francaise|french guiana
RE REU reunion|la reunion|ile de la reunion
YT MYT mayotte
MF MAF saint martin
BL BLM saint barthelemy
PF PYF polynesie francaise|french polynesia|tahiti
NC NCL nouvelle caledonie|new caledonia
PM SPM saint pierre et miquelon
GI GIB gibraltar
SM SMR saint marin|san marino
LI LIE liechtenstein
JE JEY jersey
GG GGY guernesey|guernsey
`;

const CODES: ReadonlyMap<string, string> = new Map(
  COUNTRIES.trim()
    .split('\n')
    .flatMap((line) => {
      const [alpha2 = '', alpha3 = '', ...names] = line.split(' ');
      return [alpha2, alpha3, ...names.join(' ').split('|')].map((word): [string, string] => [foldWord(word), alpha2]);
    }),
);

/** Codes that are no country, such as XX, have no name. */
const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** A country in ISO 3166-1 alpha-2, from its code or its name in French, English, Spanish, German, Dutch, Italian or Portuguese. */
export function toCountry(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const known = CODES.get(value.toLowerCase()) ?? CODES.get(foldWord(value));
  if (known !== undefined) return known;
  return /^[A-Z]{2}$/.test(value) && REGIONS.of(value) !== undefined ? value : undefined;
}

/** A postcode of any country: letters and digits, a few blanks and hyphens. */
const SHAPE = /^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,10}[A-Za-z0-9])?$/;

/** Countries in which every postcode has five digits and may begin with a zero. */
const FIVE_DIGITS = new Set(['FR', 'ES', 'DE', 'IT']);

/** The country prefix of a postcode, as on letters from abroad: the country code or the international vehicle code. */
const AHEAD_OF_DIGITS: Readonly<Record<string, RegExp>> = {
  AT: /^AT?[ -](?=\d)/i,
  BE: /^BE?[ -](?=\d)/i,
  CH: /^CH[ -]?(?=\d)/i,
  DE: /^DE?[ -](?=\d)/i,
  ES: /^ES?[ -](?=\d)/i,
  FR: /^FR?[ -](?=\d)/i,
  IT: /^IT?[ -](?=\d)/i,
  LI: /^(?:FL|LI)[ -]?(?=\d)/i,
  LU: /^LU?[ -](?=\d)/i,
  NL: /^NL[ -](?=\d)/i,
};

/** Restores a lost leading zero, and removes a country prefix. `country` is ISO 3166-1 alpha-2. */
export function toPostcode(value: unknown, country: string | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim().replace(/\s+/g, ' ');
  if (!SHAPE.test(text) || !/[1-9]/.test(text)) return undefined;
  if (country === undefined) return text;
  const ahead = AHEAD_OF_DIGITS[country];
  const own = ahead === undefined ? text : text.replace(ahead, '');
  if (!FIVE_DIGITS.has(country)) return own;
  const digits = own.replaceAll(' ', '');
  // The postcodes 00118 to 00199 (Rome) may have lost two zeros.
  if (country === 'IT' && /^1(?:1[89]|[2-9]\d)$/.test(digits)) return `00${digits}`;
  return /^\d{4}$/.test(digits) ? `0${digits}` : /^\d{5}$/.test(digits) ? digits : text;
}

/** A point on the map. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** The factor for two decimals: about a kilometre, which shows the district, not the door. */
const DISTRICT_DECIMALS = 100;

export function toDistrict({ latitude, longitude }: Coordinates): Coordinates {
  const rounded = (degrees: number): number => Math.round(degrees * DISTRICT_DECIMALS) / DISTRICT_DECIMALS;
  return { latitude: rounded(latitude), longitude: rounded(longitude) };
}

/** Undefined if a coordinate is missing, out of range or zero: feeds write zero for an unknown position. */
export function toCoordinates(latitude: unknown, longitude: unknown): Coordinates | undefined {
  const point = { latitude: toNumber(latitude), longitude: toNumber(longitude) };
  if (point.latitude === undefined || point.longitude === undefined) return undefined;
  if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) return undefined;
  if (point.latitude === 0 || point.longitude === 0) return undefined;
  return { latitude: point.latitude, longitude: point.longitude };
}
