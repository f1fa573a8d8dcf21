/** A problem that a person must solve before the start. The message is one line with the problem and the solution. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

export function oneLine(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(oneLine).join('; ');
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n')[0] ?? '';
}

/** An error for a person: the whole message of CannotStart; one line of any other error. */
export function explain(error: unknown): string {
  return error instanceof CannotStart ? error.message : oneLine(error);
}

// A closed terminal must not prevent an orderly stop.
process.stdout.on('error', () => undefined);

/** A line on the screen. */
export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}
