/** A byte that UTF-8 has nowhere. */
const OVERWRITTEN = 0xff;
let isOverwritten = false;

/**
 * From here on memory that is given back is overwritten at once. Tests call it: there what is used after it was given back
 * is wrong every time, and not only when something else comes into the same memory (docs/memory.md).
 */
export function overwriteGivenBack(): void {
  isOverwritten = true;
}

/** To be called with memory that nobody may read any more, before it is used again. */
export function givenBack(memory: Uint8Array): void {
  if (isOverwritten) memory.fill(OVERWRITTEN);
}
