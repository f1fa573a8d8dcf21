import type { AnswerMemory } from '../http/answer-memory';

/**
 * Hands pieces on, in order, and gives back those that have left.
 *
 * @param countUnsent the bytes that were taken from here and have not left, the last ones of all
 */
export async function* recyclePieces(
  pieces: AsyncIterable<Buffer>,
  memory: Pick<AnswerMemory, 'giveBack'>,
  countUnsent: () => number,
): AsyncGenerator<Buffer, void, undefined> {
  const underWay: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    underWay.push(piece);
    bytes += piece.length;
    yield piece;
    const unsent = countUnsent();
    // The first has left when the later ones have as many bytes as have not.
    for (let [first] = underWay; first !== undefined && bytes - first.length >= unsent; [first] = underWay) {
      underWay.shift();
      bytes -= first.length;
      memory.giveBack(first);
    }
  }
}
