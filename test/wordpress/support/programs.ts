import { existsSync } from 'node:fs';
import { commandOnPath } from '../../support/command-on-path';

/** The folder of WordPress in Debian's package. */
export const WORDPRESS_FOLDER = process.env['TEST_WORDPRESS_DIR'] ?? '/usr/share/wordpress';
const MARIADBD = ['/usr/sbin/mariadbd', '/usr/libexec/mariadbd'].find((path) => existsSync(path));

/** The command of the server. On Debian its folder is only on root's PATH. */
export const MARIADB_SERVER = commandOnPath('mariadbd') ? 'mariadbd' : (MARIADBD ?? 'mariadbd');

/** The programs for WordPress that this machine lacks. */
export function missingPrograms(): string[] {
  return [
    ...(commandOnPath('php') ? [] : ['php']),
    ...(commandOnPath('mariadbd') || MARIADBD !== undefined ? [] : ['mariadbd']),
    ...(commandOnPath('mariadb-install-db') ? [] : ['mariadb-install-db']),
    ...(existsSync(`${WORDPRESS_FOLDER}/wp-load.php`) ? [] : ['wordpress']),
  ];
}

/** Whether this WordPress has its own language pack, as with Debian's package `wordpress-l10n`. English needs none. */
export function hasLanguagePack(locale: string): boolean {
  return locale === 'en_US' || existsSync(`${WORDPRESS_FOLDER}/wp-content/languages/${locale}.mo`);
}

const missing = missingPrograms();

/** Runs the tests if every program exists. Otherwise jest reports them as skipped, with the missing programs. */
export function describeWordPress(title: string, tests: () => void): void {
  if (missing.length === 0) describe(title, tests);
  else describe.skip(`${title} (missing here: ${missing.join(', ')})`, tests);
}
