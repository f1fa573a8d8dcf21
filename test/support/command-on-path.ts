import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether the PATH contains an executable with this name. */
export function commandOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Runs the tests if the commands are installed. Otherwise jest reports them as skipped, with the names of the missing
 * commands.
 */
export function describeWith(commands: string | readonly string[], title: string, tests: () => void): void {
  const missing = [commands].flat().filter((command) => !commandOnPath(command));
  if (missing.length === 0) describe(title, tests);
  else describe.skip(`${title} (missing here: ${missing.join(', ')})`, tests);
}
