import type { FeedPart, PartSurvey, Slice } from '../kit/contracts';
import { learnedStyles, NumberEvidence, NUMBERS } from '../kit/number-style';

/** Where a format has the numbers whose style its feeds decide. */
export interface NumberPlaces<P extends string | number> {
  amounts: readonly P[];
  areas: readonly P[];
}

/** Learns how a feed writes its numbers. Texts may be decoded roughly: digits and separators are ASCII everywhere. */
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

/** A survey of a part's slices, for which it is cut once more. */
export function surveyOfSlices(
  slice: (part: FeedPart) => AsyncIterable<Slice>,
  survey: { see: (slice: Slice) => void; findings: PartSurvey['findings'] },
): PartSurvey {
  return {
    async look(part, turn) {
      for await (const one of slice(part)) {
        survey.see(one);
        if (turn.isDue()) await turn.wait();
      }
    },
    findings: () => survey.findings(),
  };
}
