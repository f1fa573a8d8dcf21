/** No file system has longer names. */
const LONGEST_NAME = 1_000;

/**
 * A name in Unicode's composed form, as names of files are compared. A longer text is no name and stays as it is: to sort a long run
 * of combining marks takes quadratic time, and nothing can stop it.
 */
export function composedName(name: string): string {
  return name.length > LONGEST_NAME ? name : name.normalize('NFC');
}
