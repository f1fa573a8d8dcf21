/** The longest file name of any file system. */
const LONGEST_NAME = 1_000;

/**
 * A name in Unicode's composed form, in which file names are compared. A longer text is not a name and is returned
 * unchanged: sorting a long run of combining marks takes quadratic time, and cannot be interrupted.
 */
export function composedName(name: string): string {
  return name.length > LONGEST_NAME ? name : name.normalize('NFC');
}
