import type { NumberStyle } from './clean/number';
import type { RecordContext } from './contracts';
import { type LearnedStyles, NumberEvidence, NUMBERS } from './number-style';
import { compilePath, scalarOf } from './values';

/**
 * Learns the number style of each record from its own numbers, which one program wrote. `12.500` beside `1.250,5` is
 * 12500, even if another record of the feed writes decimals with a point.
 */
export function recordStyles(paths: readonly string[]): (record: unknown, context: RecordContext) => RecordContext {
  const reads = paths.map(compilePath);
  return (record, context) => {
    let evidence: NumberEvidence | undefined;
    for (const read of reads) {
      const written = scalarOf(read(record));
      if (typeof written === 'string' && (written.includes('.') || written.includes(','))) {
        evidence ??= new NumberEvidence();
        evidence.note(written);
      }
    }
    if (evidence === undefined) return context;
    const [amounts, areas] = [evidence.styleFor('amounts'), evidence.styleFor('areas')];
    if (isEmpty(amounts) && isEmpty(areas)) return context;
    const learned = (context.feed[NUMBERS] ?? {}) as LearnedStyles;
    const styles: LearnedStyles = {
      amounts: { ...learned.amounts, ...amounts },
      areas: { ...learned.areas, ...areas },
    };
    return { ...context, feed: { ...context.feed, [NUMBERS]: styles } };
  };
}

function isEmpty(style: NumberStyle): boolean {
  return style.point === undefined && style.comma === undefined;
}
