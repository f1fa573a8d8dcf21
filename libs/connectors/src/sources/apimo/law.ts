import { FLOOD_SCORES, type Listing } from '@passerelle/domain';
import type { JsonRecord } from '../../formats/json-records';
import { inWords } from '../../kit/collections';
import type { RecordContext } from '../../kit/contracts';
import { together } from '../../kit/together';
import { listOf, textOf } from '../../kit/values';
import * as v from '../../kit/verbs';
import { wordTable } from '../../kit/word-table';

/** The legal facts that a country requires in adverts, read from regulations of the catalog `property_regulation`. */
export type LegalFacts = Pick<
  Listing,
  | 'georisques'
  | 'inondationP'
  | 'inondationG'
  | 'inondationZone'
  | 'permisUrbanisme'
  | 'permisLotir'
  | 'droitPreemption'
  | 'citationUrbanisme'
  | 'affectationUrbanisme'
  | 'revenuCadastral'
  | 'categorieCadastrale'
  | 'cedulaHabitabilite'
  | 'numeroEnregistrement'
  | 'bandeCouncilTax'
  | 'regimePropriete'
  | 'surfaceUtile'
>;

const SCORES = wordTable(Object.fromEntries(FLOOD_SCORES.map((score) => [score, score])));

const VALUE = 'regulations.value';
const yesOrNo = v.flag(VALUE);
const words = inWords(VALUE);
const reference = v.text(VALUE);
const score = v.oneOf(SCORES, VALUE);

/** For each fact: the numbers of its regulations, and the verb that reads its value. */
const READ: {
  readonly [F in keyof LegalFacts]-?: readonly [
    numbers: readonly number[],
    verb: v.Verb<unknown, NonNullable<LegalFacts[F]>>,
  ];
} = {
  georisques: [[4], yesOrNo],
  surfaceUtile: [[32], v.area(VALUE)],
  inondationZone: [[64], words],
  numeroEnregistrement: [[69], reference],
  revenuCadastral: [[70, 76], v.money(VALUE)],
  permisUrbanisme: [[71], yesOrNo],
  permisLotir: [[72], yesOrNo],
  droitPreemption: [[73], yesOrNo],
  citationUrbanisme: [[74], yesOrNo],
  affectationUrbanisme: [[75], words],
  regimePropriete: [[94, 93], words],
  cedulaHabitabilite: [[123], reference],
  bandeCouncilTax: [[134], reference],
  categorieCadastrale: [[137], reference],
  inondationP: [[139], score],
  inondationG: [[140], score],
};
const READERS = Object.entries(READ) as [keyof LegalFacts, (typeof READ)[keyof LegalFacts]][];

/** If a number occurs twice, the first entry is used. */
export const legalFacts = together<JsonRecord, LegalFacts>((record: JsonRecord, context: RecordContext) => {
  const facts: LegalFacts = {};
  const regulations = listOf(record['regulations']);
  if (regulations.length === 0) return facts;
  for (const [field, [numbers, verb]] of READERS) {
    for (const number of numbers) {
      const regulation = regulations.find((one) => textOf((one as { type?: unknown } | null)?.type) === String(number));
      const fact = regulation === undefined ? undefined : verb.read({ regulations: regulation }, context);
      if (fact === undefined) continue;
      Reflect.set(facts, field, fact);
      break;
    }
  }
  return facts;
});
