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

/** Runs where the command is there; elsewhere it is reported as skipped, with the command's name. */
export function describeWith(command: string, title: string, tests: () => void): void {
  if (commandOnPath(command)) describe(title, tests);
  else describe.skip(`${title} (missing here: ${command})`, tests);
}
