import type { Listing } from '@passerelle/domain';
import { isRental } from '@passerelle/domain';
import type { XmlRecord } from '../../formats/xml-records';
import { toFlag } from '../../kit/clean/fold-word';
import { toNumber } from '../../kit/clean/number';
import { plainLine } from '../../kit/clean/plain-text';
import { inOneLine, namesOfYes } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { lookUp } from '../../kit/word-table';
import { elementOf } from './format';
import { YES_OR_NO } from './lookups';

const NOTHING_SAID = /^(?:keine\s?angabe|unbekannt|unknown|-)$/i;

/** A word of the schema, unless it only means "no information". */
export function said(path: string): v.Verb<XmlRecord, string> {
  const read = compilePath(path);
  return v.computed((record: XmlRecord) => {
    const word = plainLine(textOf(read(record)));
    return word === undefined || NOTHING_SAID.test(word) ? undefined : word;
  }, path);
}

/** Exporters write the lowest number that the schema allows if they know none, so that number means unknown. */
export function above(least: number, answer: v.Verb<XmlRecord, number>): v.Verb<XmlRecord, number> {
  return v.computed(
    (record: XmlRecord, context: RecordContext) => {
      const value = answer.read(record, context);
      return value !== undefined && value > least ? value : undefined;
    },
    ...answer.paths,
  );
}

/** `ja`, `erlaubt`; "by agreement" means neither yes nor no. */
export function allowed(path: string): v.Verb<XmlRecord, boolean> {
  const read = compilePath(path);
  return v.computed((record: XmlRecord, context: RecordContext) => {
    const word = textOf(read(record));
    const found = word === undefined ? undefined : (toFlag(word) ?? lookUp(YES_OR_NO, word, path, context));
    return found === 'by agreement' ? undefined : found;
  }, path);
}

const fuelAt = compilePath('BefeuerungsArt');

/** The fuels: the names of the children of `BefeuerungsArt`, as in `<Gas/><Solarheizung/>`. */
export function fuelsOf(record: XmlRecord): string[] | undefined {
  const found = listOf(fuelAt(record))[0];
  if (typeof found !== 'object' || found === null) return undefined;
  const names = Object.entries(found)
    .filter(([name, value]) => !/^[@#]/.test(name) && !NOTHING_SAID.test(name) && toFlag(scalarOf(value)) !== false)
    .map(([name]) => name);
  return names.length === 0 ? undefined : names;
}

const condition = said('@Objektzustand');
const phaseAt = compilePath('@Bauphase');

export function isNew(record: XmlRecord, context: RecordContext): boolean | undefined {
  const isBuilt = /^Haus(?:InPlanung|ImBau)$/i.test(textOf(phaseAt(record)) ?? '');
  const isFirst = /^Erstbezug$/i.test(condition.read(record, context) ?? '');
  return isBuilt || isFirst || elementOf(record) === 'TypenHaus' ? true : undefined;
}

/** Whether there is parking. A kind of space and `true` mean yes, `false` means no, `keineAngabe` means unknown. */
export function hasParking(record: XmlRecord): boolean | undefined {
  const word = textOf(record['@Parkplatz']);
  if (word === undefined || NOTHING_SAID.test(word)) return undefined;
  return toFlag(word) ?? true;
}

export function parkingTypeOf(record: XmlRecord): string | undefined {
  const word = textOf(record['@Parkplatz']) ?? textOf(record['@Parkplatzsituation']);
  return word === undefined || NOTHING_SAID.test(word) || toFlag(word) !== undefined ? undefined : plainLine(word);
}

const DEPOSITS = ['Mietpreise.@Kaution', 'Vermarktung.Miete.@Kaution', '@Kaution'];
const deposit = v.firstOf(v.text, ...DEPOSITS);
/** A deposit is a text: `2400 EUR`, or `3 MM` for three monthly rents. */
const AMOUNT = /^(\d[\d.,\s]*)(?:€|EUR|Euro)?$/i;
export const DEPOSIT = v.computed<XmlRecord, number>(
  (record, context) => {
    const amount = toNumber(AMOUNT.exec(deposit.read(record, context) ?? '')?.[1]);
    return amount !== undefined && amount >= SMALLEST_AMOUNT ? amount : undefined;
  },
  ...DEPOSITS,
);

type Fees = Pick<Listing, 'honoraires' | 'honorairesUnite' | 'honorairesCharge' | 'commission'>;

/** A smaller number cannot be euros, and its unit is unknown: `2` may be two rents or two percent. */
const SMALLEST_AMOUNT = 100;
const PERCENT = /(\d{1,2}(?:[.,]\d{1,4})?)\s*(?:%|Prozent)/i;

/** The commission of the agency: `Provision` is a text, such as `3,57 % inkl. MwSt.` or `2,2 MM`. */
export function feesOf(record: XmlRecord, transaction: Listing['typeTransaction']): Fees {
  if (toFlag(scalarOf(record['@Provisionspflichtig'])) === false) return {};
  const written = plainLine(textOf(record['@Provision'])) ?? '';
  const wording = inOneLine(
    [written, textOf(record['@Provisionshinweis'])].filter((text) => /[\p{L}%]/u.test(text ?? '')),
  );
  const fees: Fees = wording === undefined ? {} : { commission: wording };
  const share = toNumber(PERCENT.exec(written)?.[1]);
  const amount = toNumber(AMOUNT.exec(written)?.[1]);
  const honorairesCharge = transaction !== undefined && isRental(transaction) ? 'locataire' : 'acquereur';
  if (share !== undefined && share > 0)
    return { ...fees, honoraires: share, honorairesUnite: 'pourcentage', honorairesCharge };
  if (amount !== undefined && amount >= SMALLEST_AMOUNT)
    return { ...fees, honoraires: amount, honorairesUnite: 'montant', honorairesCharge };
  return fees;
}

const YES = namesOfYes({
  ...{ '@BalkonTerrasse': 'Balkon/Terrasse', '@BetreutesWohnen': 'Seniorengerechtes Wohnen', '@WC': 'WC' },
  ...{ '@Foerderung': 'Förderung', '@Denkmalschutzobjekt': 'Denkmalschutz', '@GaesteWC': 'Gäste-WC' },
  ...{ '@AlsFerienwohnungGeeignet': 'Als Ferienwohnung geeignet', '@MitEinliegerwohnung': 'Einliegerwohnung' },
  ...{ '@RaucherOk': 'Raucher erlaubt', '@Kantine': 'Kantine', '@KuecheVorhanden': 'Küche', '@Rampe': 'Rampe' },
  ...{ '@Starkstrom': 'Starkstrom', '@Gastterrasse': 'Gastterrasse', '@Hebebuehne': 'Hebebühne', '@Herd': 'Herd' },
  ...{ '@BaugenehmigungVorhanden': 'Baugenehmigung vorhanden', '@AbrissErforderlich': 'Abriss erforderlich' },
  ...{ '@KurzfristigBebaubar': 'Kurzfristig bebaubar', '@DatenVerkabelung': 'DV-Verkabelung' },
  ...{ '@Backofen': 'Backofen', '@Kuehlschrank': 'Kühlschrank', '@Dusche': 'Dusche', '@Badewanne': 'Badewanne' },
  ...{ '@Spuelmaschine': 'Spülmaschine', '@Waschmaschine': 'Waschmaschine' },
});
const WORDS = Object.entries({
  ...{ '@Ausstattungsqualitaet': 'Ausstattungsqualität', '@Bodenbelag': 'Bodenbelag', '@Etagen': 'Etagen' },
  ...{ '@JahrLetzteModernisierung': 'Letzte Modernisierung', '@BebaubarNach': 'Bebaubar nach', '@GRZ': 'GRZ' },
  ...{ '@GFZ': 'GFZ', '@Erschliessungszustand': 'Erschließung', '@Lageart': 'Lage', '@Zulieferung': 'Zulieferung' },
  ...{ '@Bauweise': 'Bauweise', '@Ausbaustufe': 'Ausbaustufe', '@Energiestandard': 'Energiestandard' },
  ...{ '@Midestmietdauer': 'Mindestmietdauer', '@Maximalmietdauer': 'Maximalmietdauer', '@FreiBis': 'Frei bis' },
  ...{ 'Mietpreise.@Mindestmietdauer': 'Mindestmietdauer', '@VerfuegbarBis': 'Verfügbar bis', '@Rauchen': 'Rauchen' },
  ...{ '@AnzahlBetten': 'Betten', '@GastraumPlaetze': 'Gastraumplätze', '@Hallenhoehe': 'Hallenhöhe' },
  ...{ '@Internetanschluss': 'Internet', '@TVAnschluss': 'TV', Versteigerungstermin: 'Versteigerungstermin' },
}).map(([path, name]) => ({ name, word: said(path) }));
const BY_AGREEMENT = Object.entries({ '@Haustiere': 'Haustiere', '@Klimaanlage': 'Klimaanlage' });

export function featuresOf(record: XmlRecord, context: RecordContext): string[] {
  const terms = deposit.read(record, context);
  return [
    ...YES(record),
    ...WORDS.flatMap(({ name, word }) => {
      const found = word.read(record, context);
      return found === undefined ? [] : [`${name}: ${found}`];
    }),
    ...BY_AGREEMENT.flatMap(([path, name]) =>
      /^nachVereinbarung$/i.test(textOf(record[path]) ?? '') ? [`${name} nach Vereinbarung`] : [],
    ),
    ...(terms !== undefined && DEPOSIT.read(record, context) === undefined ? [`Kaution: ${terms}`] : []),
  ];
}
