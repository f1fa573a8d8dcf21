/** The longest file name of any file system. */
const LONGEST_NAME = 1_000;

/** The form for comparing file names. Longer texts stay unchanged, because sorting their marks takes quadratic time. */
export function composedName(name: string): string {
  return name.length > LONGEST_NAME ? name : name.normalize('NFC');
}
