import { foldWord } from './fold-word';

/**
 * Names in English, French, Spanish, German and the language itself, folded, and country codes that feeds use as
 * language codes.
 */
const NAMES = `
fr francais french frances franzosisch fra
en anglais english ingles englisch ang gb us
es espagnol spanish espanol castellano spanisch esp
de allemand german aleman deutsch all
it italien italian italiano italienisch
nl neerlandais dutch holandes niederlandisch nederlands hollandais
pt portugais portuguese portugues portugiesisch
ca catalan catala
ru russe russian ruso russisch
da danois danish dansk dk
sv suedois swedish svenska se
no norvegien norwegian norsk nb
fi finnois finnish suomi
pl polonais polish polski
cs tcheque czech cz
zh chinois chinese chino chinesisch cn
ar arabe arabic arabisch
ro roumain romanian rumano rumanisch romana rumeno romeno
hu hongrois hungarian hungaro ungarisch magyar ungherese
el grec greek griego griechisch greco grego gr
uk ukrainien ukrainian ucraniano ukrainisch ucraino ukrainska ua
bg bulgare bulgarian bulgaro bulgarisch
hr croate croatian croata kroatisch hrvatski
sk slovaque slovak eslovaco slowakisch slovencina
sl slovene slovenian esloveno slowenisch slovenscina
sr serbe serbian serbio serbisch srpski
tr turc turkish turco turkisch turkce
lt lituanien lithuanian lituano litauisch lietuviu
lv letton latvian leton lettisch latviesu
et estonien estonian estonio estnisch eesti
ja japonais japanese japones japanisch jp
he hebreu hebrew hebreo hebraisch
lb luxembourgeois luxembourgish luxemburgues luxemburgisch letzebuergesch
eu basque vasco baskisch euskera euskara
gl galicien galician gallego galicisch galego
`;

const CODES: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', ...names] = line.split(' ');
      return names.map((name): [string, string] => [name, code]);
    }),
);

const KNOWN = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** The size of the cache: feeds repeat a few words. */
const REMEMBERED = 200;
const remembered = new Map<string, string | undefined>();

/** A language as ISO 639-1, from its code with or without a country (`fr_CH`, `deu`) or its name (`english`). */
export function toLanguage(word: string): string | undefined {
  if (remembered.has(word)) return remembered.get(word);
  const language = readLanguage(word);
  if (remembered.size < REMEMBERED && word.length < 40) remembered.set(word, language);
  return language;
}

function readLanguage(word: string): string | undefined {
  const [first = ''] = foldWord(word).split(' ');
  const named = CODES.get(first);
  if (named !== undefined || !/^[a-z]{2,3}$/.test(first)) return named;
  // Turns three-letter codes into two letters.
  const [code = ''] = Intl.getCanonicalLocales(first);
  return code.length === 2 && KNOWN.of(code) !== undefined ? code : undefined;
}
