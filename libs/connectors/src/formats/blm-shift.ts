/** What cells of a column look like, as far as that tells them from those of the column ahead. */
const SHAPES: readonly (readonly [columns: RegExp, shape: RegExp])[] = [
  [/_DATE$|^LET_DATE_/, /^\d{4}-\d{1,2}-\d{1,2}|^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/],
  [/_FLAG$/, /^(?:[01yn]|yes|no|true|false)$/i],
  [/^MEDIA_(?!.*_TEXT_)/, /^https?:|^\S+\.(?:jpe?g|png|gif|bmp|tiff?|webp|pdf)$/i],
];

interface ShapedColumn {
  place: number;
  name: string;
  shape: RegExp;
}

/** By the list of columns: a file has one for all of its rows. */
const shapedByColumns = new WeakMap<readonly string[], readonly ShapedColumn[]>();

/**
 * The first column whose cell is not of its kind while the cell behind it is: a separator inside a text has moved all cells
 * by one. Undefined for rows of which that cannot be told.
 */
export function shiftedColumn(columns: readonly string[], cells: readonly string[]): string | undefined {
  let shaped = shapedByColumns.get(columns);
  if (shaped === undefined) {
    shaped = columns.flatMap((name, place) => {
      const shape = SHAPES.find(([names]) => names.test(name))?.[1];
      return shape === undefined ? [] : [{ place, name, shape }];
    });
    shapedByColumns.set(columns, shaped);
  }
  return shaped.find(({ place, shape }) => {
    const cell = cells[place]?.trim() ?? '';
    return cell !== '' && !shape.test(cell) && shape.test(cells[place + 1]?.trim() ?? '');
  })?.name;
}
