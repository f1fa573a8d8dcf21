import type { FeedDocument, DocumentSurvey, Slice } from '../kit/contracts';
import { learnedStyles, NumberEvidence, NUMBERS } from '../kit/number-style';

/** The positions of the numbers whose style differs between feeds. */
export interface NumberPlaces<P extends string | number> {
  amounts: readonly P[];
  areas: readonly P[];
}

/** Learns how a feed writes its numbers. A rough decoding is enough: digits and separators are ASCII in every encoding. */
export class NumberSurvey {
  private readonly amounts = new NumberEvidence();
  private readonly areas = new NumberEvidence();

  noteAmount(written: string): void {
    this.amounts.note(written);
  }

  noteArea(written: string): void {
    this.areas.note(written);
  }

  noteRow(cells: readonly string[], { amounts, areas }: NumberPlaces<number>): void {
    for (const place of amounts) if (cells[place] !== undefined) this.amounts.note(cells[place]);
    for (const place of areas) if (cells[place] !== undefined) this.areas.note(cells[place]);
  }

  findings(): Record<string, unknown> {
    return { [NUMBERS]: learnedStyles(this.amounts, this.areas) };
  }
}

/** A survey of the slices of a document, which is sliced once more for this purpose. */
export function surveyOfSlices(
  slice: (document: FeedDocument) => AsyncIterable<Slice>,
  survey: { see: (slice: Slice) => void; findings: DocumentSurvey['findings'] },
): DocumentSurvey {
  return {
    async inspect(document, turn) {
      for await (const one of slice(document)) {
        survey.see(one);
        if (turn.isDue()) await turn.wait();
      }
    },
    findings: () => survey.findings(),
  };
}
