import { givenBack } from '@passerelle/domain';

/** Of pieces of a whole list: each fits into what any other has left. */
const PIECE_BYTES = 512 * 1024;

export interface AnswerMemoryOptions {
  /** How much that nobody uses is kept; more is left to V8. */
  mostFreeBytes?: number;
  /** All sizes are a multiple of this: larger ones fit more often, and take more while an answer is under way. */
  stepBytes?: number;
}

/**
 * Memory of answers, or of pieces of one. What has left gives its memory to a later one: V8 frees what is outside of its heap when there
 * are tens of megabytes of it, and not when it is used no more.
 */
export class AnswerMemory {
  private readonly own = new WeakSet<ArrayBufferLike>();
  private readonly free: ArrayBufferLike[] = [];

  private readonly mostFreeBytes: number;
  private readonly stepBytes: number;

  constructor({ mostFreeBytes = Number.POSITIVE_INFINITY, stepBytes = PIECE_BYTES }: AnswerMemoryOptions = {}) {
    this.mostFreeBytes = mostFreeBytes;
    this.stepBytes = stepBytes;
  }

  /** Memory of so many bytes; what is in it is another's. */
  take(bytes: number): Buffer {
    const at = this.free.findIndex(({ byteLength }) => byteLength >= bytes);
    const [memory = new ArrayBuffer(Math.ceil(bytes / this.stepBytes) * this.stepBytes)] =
      at < 0 ? [] : this.free.splice(at, 1);
    this.own.add(memory);
    return Buffer.from(memory, 0, bytes);
  }

  /** Nobody reads this any more. What is not from here is left alone. */
  giveBack(taken: Buffer): void {
    if (!this.own.has(taken.buffer)) return;
    givenBack(taken);
    const freeBytes = this.free.reduce((sum, { byteLength }) => sum + byteLength, taken.buffer.byteLength);
    if (freeBytes <= this.mostFreeBytes) this.free.push(taken.buffer);
  }
}
