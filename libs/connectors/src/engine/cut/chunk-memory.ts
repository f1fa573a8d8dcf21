/** More than most records have. */
const ROOM_BYTES = 32 * 1024;

const withRoom = new WeakSet<ArrayBufferLike>();

/**
 * Memory for one chunk at a time, with room ahead of it: there is place for what is left of the chunk before, so that the two
 * are one without being copied elsewhere.
 */
export function newChunkMemory(bytes: number): Buffer {
  const memory = Buffer.allocUnsafeSlow(ROOM_BYTES + bytes);
  withRoom.add(memory.buffer);
  return memory.subarray(ROOM_BYTES);
}

/** The chunk with `ahead` in the room ahead of it; undefined when there is none, or too little. */
export function joinAhead(ahead: Buffer, chunk: Buffer): Buffer | undefined {
  if (ahead.length > ROOM_BYTES || !withRoom.has(chunk.buffer)) return undefined;
  const joined = Buffer.from(chunk.buffer, chunk.byteOffset - ahead.length, ahead.length + chunk.length);
  ahead.copy(joined);
  return joined;
}
