import { existsSync } from 'node:fs';
import { commandOnPath } from '../../support/command-on-path';

/** Where Debian's package puts WordPress. */
export const WORDPRESS_FOLDER = process.env['TEST_WORDPRESS_DIR'] ?? '/usr/share/wordpress';
const MARIADBD = ['/usr/sbin/mariadbd', '/usr/libexec/mariadbd'].find((path) => existsSync(path));

/** The server's program; Debian keeps it where only root's PATH looks. */
export const MARIADB_SERVER = commandOnPath('mariadbd') ? 'mariadbd' : (MARIADBD ?? 'mariadbd');

/** What of WordPress, MariaDB and PHP is missing here, by name. */
export function missingPrograms(): string[] {
  return [
    ...(commandOnPath('php') ? [] : ['php']),
    ...(commandOnPath('mariadbd') || MARIADBD !== undefined ? [] : ['mariadbd']),
    ...(commandOnPath('mariadb-install-db') ? [] : ['mariadb-install-db']),
    ...(existsSync(`${WORDPRESS_FOLDER}/wp-load.php`) ? [] : ['wordpress']),
  ];
}

const missing = missingPrograms();

/** Runs where everything is there; elsewhere it is reported as skipped, with the names of what is missing. */
export function describeWordPress(title: string, tests: () => void): void {
  if (missing.length === 0) describe(title, tests);
  else describe.skip(`${title} (missing here: ${missing.join(', ')})`, tests);
}
