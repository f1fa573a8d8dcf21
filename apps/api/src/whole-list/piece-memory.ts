import { givenBack } from '@passerelle/domain';

const FEWEST_BYTES = 512 * 1024;

/**
 * Memory of the pieces of one answer. A piece that has left gives its memory to a later one: V8 frees what is outside of its
 * heap when there are 64 MB of it, and not when it is used no more.
 */
export class PieceMemory {
  private readonly own = new WeakSet<ArrayBufferLike>();
  private readonly free: ArrayBufferLike[] = [];

  /** Memory for a piece of so many bytes; what is in it is another piece's. */
  take(bytes: number): Buffer {
    const at = this.free.findIndex(({ byteLength }) => byteLength >= bytes);
    const [memory = new ArrayBuffer(Math.max(bytes, FEWEST_BYTES))] = at < 0 ? [] : this.free.splice(at, 1);
    this.own.add(memory);
    return Buffer.from(memory, 0, bytes);
  }

  /** Nobody reads this piece any more. One that is not from here is left alone. */
  giveBack(piece: Buffer): void {
    if (!this.own.has(piece.buffer)) return;
    givenBack(piece);
    this.free.push(piece.buffer);
  }
}

/**
 * Hands pieces on, in order, and gives back those that have left.
 *
 * @param countUnsent the bytes that were taken from here and have not left, the last ones of all
 */
export async function* recyclePieces(
  pieces: AsyncIterable<Buffer>,
  memory: Pick<PieceMemory, 'giveBack'>,
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
