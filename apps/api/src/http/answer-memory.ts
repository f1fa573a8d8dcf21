import { givenBack } from '@passerelle/domain';

/** The size of each piece of a whole list: pieces have equal sizes, so that each can reuse the memory of another. */
const PIECE_BYTES = 512 * 1024;

export interface AnswerMemoryOptions {
  /** How much unused memory is kept; V8 frees the rest. */
  mostFreeBytes?: number;
  /** All sizes are multiples of this. Larger steps make reuse more frequent, but each response takes more memory. */
  stepBytes?: number;
}

/** Reuses the memory of sent responses: V8 frees memory outside of its heap only after tens of megabytes. */
export class AnswerMemory {
  private readonly own = new WeakSet<ArrayBufferLike>();
  private readonly free: ArrayBufferLike[] = [];

  private readonly mostFreeBytes: number;
  private readonly stepBytes: number;

  constructor({ mostFreeBytes = Number.POSITIVE_INFINITY, stepBytes = PIECE_BYTES }: AnswerMemoryOptions = {}) {
    this.mostFreeBytes = mostFreeBytes;
    this.stepBytes = stepBytes;
  }

  /** Returns memory of this size; its content is undefined. */
  take(bytes: number): Buffer {
    const at = this.free.findIndex(({ byteLength }) => byteLength >= bytes);
    const [memory = new ArrayBuffer(Math.ceil(bytes / this.stepBytes) * this.stepBytes)] =
      at < 0 ? [] : this.free.splice(at, 1);
    this.own.add(memory);
    return Buffer.from(memory, 0, bytes);
  }

  /** Takes back memory that is no longer read. Ignores buffers that it did not allocate. */
  giveBack(buffer: Buffer): void {
    if (!this.own.has(buffer.buffer)) return;
    givenBack(buffer);
    const freeBytes = this.free.reduce((sum, { byteLength }) => sum + byteLength, buffer.buffer.byteLength);
    if (freeBytes <= this.mostFreeBytes) this.free.push(buffer.buffer);
  }
}
