import { foldWord } from './fold';

/** Countries of listings: alpha-2, alpha-3, then names in French, English, Spanish and German, folded. */
const COUNTRIES = `
FR FRA france|francia|frankreich|france metropolitaine
ES ESP espagne|spain|espana|spanien
PT PRT portugal
IT ITA italie|italy|italia|italien
DE DEU allemagne|germany|alemania|deutschland
AT AUT autriche|austria|osterreich
CH CHE suisse|switzerland|suiza|schweiz|svizzera
BE BEL belgique|belgium|belgica|belgien|belgie
LU LUX luxembourg|luxemburgo|luxemburg
NL NLD pays bas|netherlands|paises bajos|niederlande|holland|hollande|nederland
MC MCO monaco
AD AND andorre|andorra
GB GBR royaume uni|united kingdom|reino unido|vereinigtes konigreich|angleterre|england|great britain|grande bretagne|uk|scotland|ecosse|wales
IE IRL irlande|ireland|irlanda|irland
DK DNK danemark|denmark|dinamarca|danmark
SE SWE suede|sweden|suecia|schweden
NO NOR norvege|norway|noruega|norwegen
FI FIN finlande|finland|finlandia|finnland
IS ISL islande|iceland|islandia|island
PL POL pologne|poland|polonia|polen
CZ CZE republique tcheque|tchequie|czech republic|czechia|republica checa|tschechien
SK SVK slovaquie|slovakia|eslovaquia|slowakei
HU HUN hongrie|hungary|hungria|ungarn
SI SVN slovenie|slovenia|eslovenia|slowenien
HR HRV croatie|croatia|croacia|kroatien
ME MNE montenegro
RS SRB serbie|serbia|serbien
BA BIH bosnie herzegovine|bosnia and herzegovina
AL ALB albanie|albania|albanien
GR GRC grece|greece|grecia|griechenland
CY CYP chypre|cyprus|chipre|zypern
MT MLT malte|malta
BG BGR bulgarie|bulgaria|bulgarien
RO ROU roumanie|romania|rumania|rumanien
TR TUR turquie|turkey|turkiye|turquia|turkei
EE EST estonie|estonia|estland
LV LVA lettonie|latvia|letonia|lettland
LT LTU lituanie|lithuania|lituania|litauen
UA UKR ukraine|ucrania
RU RUS russie|russia|rusia|russland
MA MAR maroc|morocco|marruecos|marokko
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
US USA etats unis|united states|estados unidos|vereinigte staaten|united states of america|etats unis d amerique
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

/** A country in ISO 3166-1 alpha-2, from its code or its name in French, English, Spanish or German. */
export function toCountry(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const known = CODES.get(value.toLowerCase()) ?? CODES.get(foldWord(value));
  if (known !== undefined) return known;
  return /^[A-Z]{2}$/.test(value) ? value : undefined;
}
