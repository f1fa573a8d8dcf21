/** A byte that never occurs in UTF-8. */
const OVERWRITTEN = 0xff;
let isOverwritten = false;

/**
 * From this call on, released buffers are overwritten immediately. Tests call this function, so that a use after
 * release always fails, and not only when the buffer is reused at that moment (docs/memory.md).
 */
export function overwriteGivenBack(): void {
  isOverwritten = true;
}

/** Call this with a buffer that may no longer be read, before the buffer is used again. */
export function givenBack(memory: Uint8Array): void {
  if (isOverwritten) memory.fill(OVERWRITTEN);
}
