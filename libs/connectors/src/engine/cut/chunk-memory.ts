/** Longer than most records. */
const ROOM_BYTES = 32 * 1024;

const withRoom = new WeakSet<ArrayBufferLike>();

/** A buffer for one chunk at a time, with room in front of it for the rest of the previous chunk. */
export function newChunkMemory(bytes: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(ROOM_BYTES + bytes);
  withRoom.add(memory.buffer);
  return memory.subarray(ROOM_BYTES);
}

/** The chunk with the bytes of `ahead` directly in front of it; undefined when there is no room for them. */
export function joinAhead(ahead: Buffer, chunk: Buffer): Buffer | undefined {
  if (ahead.length > ROOM_BYTES || !withRoom.has(chunk.buffer)) return undefined;
  const joined = Buffer.from(chunk.buffer, chunk.byteOffset - ahead.length, ahead.length + chunk.length);
  ahead.copy(joined);
  return joined;
}
