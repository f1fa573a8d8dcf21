/** A byte that never occurs in UTF-8. */
const OVERWRITTEN = 0xff;
let isOverwritten = false;

/** From now on overwrites released buffers, so that each use after release fails in tests (docs/memory.md). */
export function overwriteGivenBack(): void {
  isOverwritten = true;
}

/** Call this with a buffer that code must not read any more, before its memory is used again. */
export function givenBack(memory: Uint8Array): void {
  if (isOverwritten) memory.fill(OVERWRITTEN);
}
