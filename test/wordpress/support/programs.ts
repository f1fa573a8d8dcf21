import { existsSync } from 'node:fs';
import { commandOnPath } from '../../support/command-on-path';

/** The folder of WordPress in Debian's package. */
export const WORDPRESS_FOLDER = process.env['TEST_WORDPRESS_DIR'] ?? '/usr/share/wordpress';
const MARIADBD = ['/usr/sbin/mariadbd', '/usr/libexec/mariadbd'].find((path) => existsSync(path));

/** The command of the server. On Debian its folder is only on root's PATH. */
export const MARIADB_SERVER = commandOnPath('mariadbd') ? 'mariadbd' : (MARIADBD ?? 'mariadbd');

/** Names of programs for WordPress that are missing on this machine. */
export function missingPrograms(): string[] {
  return [
    ...(commandOnPath('php') ? [] : ['php']),
    ...(commandOnPath('mariadbd') || MARIADBD !== undefined ? [] : ['mariadbd']),
    ...(commandOnPath('mariadb-install-db') ? [] : ['mariadb-install-db']),
    ...(existsSync(`${WORDPRESS_FOLDER}/wp-load.php`) ? [] : ['wordpress']),
  ];
}

const missing = missingPrograms();

/**
 * Runs the tests when every program exists. Otherwise they are reported as skipped, with the names of missing
 * programs.
 */
export function describeWordPress(title: string, tests: () => void): void {
  if (missing.length === 0) describe(title, tests);
  else describe.skip(`${title} (missing here: ${missing.join(', ')})`, tests);
}
