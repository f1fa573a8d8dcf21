import type { AnswerMemory } from '../http/answer-memory';

/** Gives back the memory of sent chunks. @param countUnsent counts the bytes that were passed on but not sent */
export async function* recycleChunks(
  chunks: AsyncIterable<Buffer>,
  memory: Pick<AnswerMemory, 'giveBack'>,
  countUnsent: () => number,
): AsyncGenerator<Buffer, void, undefined> {
  const underWay: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    underWay.push(chunk);
    bytes += chunk.length;
    yield chunk;
    const unsent = countUnsent();
    // The first chunk is sent completely when the later chunks contain all unsent bytes.
    for (let [first] = underWay; first !== undefined && bytes - first.length >= unsent; [first] = underWay) {
      underWay.shift();
      bytes -= first.length;
      memory.giveBack(first);
    }
  }
}
