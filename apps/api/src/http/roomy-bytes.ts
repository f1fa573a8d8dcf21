import type { Socket } from 'node:net';

/** For the head of an answer and the start of its body; a longer one goes out in pieces. */
const ROOM_BEFORE = 2048;
/** For the end of a gzip member. */
const ROOM_BEHIND = 8;
export const ROOM_BYTES = ROOM_BEFORE + ROOM_BEHIND;

/**
 * Bytes that many answers share, in memory that has room around them for what is one answer's own: an answer then goes out in
 * one piece, which costs Node and the system less than several.
 */
export class RoomyBytes {
  private memory: Buffer | null = null;
  /** The connection that may still be sending from that memory. */
  private lentTo: Socket | null = null;

  constructor(private shared: Buffer) {}

  get bytes(): Buffer {
    return this.shared;
  }

  get length(): number {
    return this.shared.length;
  }

  /** Memory that they take, with the room that the first answer makes. */
  get size(): number {
    return this.shared.length + ROOM_BYTES;
  }

  /**
   * Writes an answer to a connection.
   *
   * @param before binary string (latin1)
   * @param behind the same, of at most 8 characters
   */
  writeTo(socket: Socket, before: string, behind: string): void {
    const start = ROOM_BEFORE - before.length;
    const memory = start < 0 ? null : this.availableMemory();
    if (memory === null) {
      socket.cork();
      socket.write(before, 'latin1');
      socket.write(this.shared);
      if (behind !== '') socket.write(behind, 'latin1');
      socket.uncork();
      return;
    }
    const end = ROOM_BEFORE + this.shared.length;
    memory.write(before, start, 'latin1');
    memory.write(behind, end, 'latin1');
    socket.write(memory.subarray(start, end + behind.length));
    if (socket.writableLength > 0) this.lentTo = socket;
  }

  /** The memory, made with the first answer; null as long as an answer is being sent from there. */
  private availableMemory(): Buffer | null {
    if (this.lentTo !== null && this.lentTo.writableLength > 0) return null;
    this.lentTo = null;
    if (this.memory === null) {
      this.memory = Buffer.allocUnsafeSlow(this.size);
      this.memory.set(this.shared, ROOM_BEFORE);
      this.shared = this.memory.subarray(ROOM_BEFORE, ROOM_BEFORE + this.shared.length);
    }
    return this.memory;
  }
}
