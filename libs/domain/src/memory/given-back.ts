/** A byte that never occurs in UTF-8. */
const OVERWRITTEN = 0xff;
let isOverwritten = false;

/** From now on released buffers are overwritten: in tests each use after release must fail (docs/memory.md). */
export function overwriteGivenBack(): void {
  isOverwritten = true;
}

/** Call this with a buffer that may no longer be read, before the buffer is used again. */
export function givenBack(memory: Uint8Array): void {
  if (isOverwritten) memory.fill(OVERWRITTEN);
}
