import type { TypeCode } from '@passerelle/domain';

import type { XmlRecord } from '../../formats/xml-records';
import { plainLine } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { TYPE_LABELS, TYPE_TITLES, typeOfCode } from './lookups';
import { places } from './places';

const code = places('bien.code_type');
const label = places('bien.libelle_type');

export function codeOf(record: XmlRecord): string | undefined {
  return code.text(record);
}

/** The label for visitors, such as `Appartement T3`. */
function labelOf(record: XmlRecord): string | undefined {
  return plainLine(label.text(record) ?? '');
}

export function typeTitleOf(record: XmlRecord): string | undefined {
  return labelOf(record) ?? TYPE_TITLES[knownTypeOf(record) ?? 'autre'];
}

export function typeCodeOf(record: XmlRecord, context: RecordContext): TypeCode | undefined {
  const known = knownTypeOf(record);
  if (known !== undefined) return known;
  const word = codeOf(record) ?? labelOf(record);
  if (word === undefined) return undefined;
  context.warn(
    'unknown_word',
    codeOf(record) === undefined ? 'bien.libelle_type' : 'bien.code_type',
    word.slice(0, 120),
  );
  return 'autre';
}

export function typeCodeSourceOf(record: XmlRecord): string | undefined {
  return codeOf(record) ?? labelOf(record);
}

export function isPlot(record: XmlRecord): boolean {
  return knownTypeOf(record) === 'terrain';
}

function knownTypeOf(record: XmlRecord): TypeCode | undefined {
  const byCode = typeOfCode(codeOf(record) ?? '');
  if (byCode !== undefined) return byCode;
  // Some exports write the words into the field of the code.
  for (const words of [labelOf(record), codeOf(record)]) {
    if (words === undefined) continue;
    const known = TYPE_LABELS.find(words) ?? TYPE_LABELS.find(words.split(/[\s/-]+/)[0] ?? '');
    if (known !== undefined) return known;
  }
  return undefined;
}
