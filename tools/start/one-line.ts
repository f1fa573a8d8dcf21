/** Something that a person must put right before we can start: its message is one line that says what and how. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** An error as one line for a person. */
export function oneLine(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(oneLine).join('; ');
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n')[0] ?? '';
}

/** An error for a person: a message that helps to correct it unchanged, any other error as one line. */
export function explain(error: unknown): string {
  return error instanceof CannotStart ? error.message : oneLine(error);
}

// A terminal that was closed must not keep us from stopping in order.
process.stdout.on('error', () => undefined);

/** A line on the screen. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}
