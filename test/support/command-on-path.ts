import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program of this name can be started. */
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

/** Runs where the commands are installed; elsewhere it is reported as skipped, with the names of the missing ones. */
export function describeWith(commands: string | readonly string[], title: string, tests: () => void): void {
  const missing = [commands].flat().filter((command) => !commandOnPath(command));
  if (missing.length === 0) describe(title, tests);
  else describe.skip(`${title} (missing here: ${missing.join(', ')})`, tests);
}
