/**
 * What Node is started with for the ingestor. Left to itself, Node lets the heap grow to four times what is alive before it
 * collects, where memory is plentiful; with a limit it collects in time (docs/decisions/0008).
 */
const INGESTOR_FLAGS: readonly string[] = ['--max-old-space-size=256'];

const FLAGS: Readonly<Record<string, readonly string[]>> = { 'apps/ingestor/src/main.js': INGESTOR_FLAGS };

/** Node's own arguments for a built program below dist/. */
export function nodeFlagsOf(script: string): readonly string[] {
  return FLAGS[script] ?? [];
}
