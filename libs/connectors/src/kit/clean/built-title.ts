/** What a title can be built from when a feed has none. */
export interface TitleParts {
  /** In French, as in "Villa". */
  type?: string | undefined;
  pieces?: number | undefined;
  chambres?: number | undefined;
  ville?: string | undefined;
}

/** `Villa 3 chambres à Almunecar`, `Appartement 3 pièces à Nice`; undefined when even the type is not known. */
export function builtTitle({ type, pieces, chambres, ville }: TitleParts): string | undefined {
  if (type === undefined || type === '') return undefined;
  const size = pieces === undefined ? counted(chambres, 'chambre') : counted(pieces, 'pièce');
  const town = ville === undefined ? '' : ` à ${capitalized(ville)}`;
  return `${capitalized(type)}${size}${town}`;
}

function counted(count: number | undefined, noun: string): string {
  return count === undefined ? '' : ` ${String(count).replace('.', ',')} ${noun}${count >= 2 ? 's' : ''}`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
