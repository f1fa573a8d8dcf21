/** The form of the cells of a column, if it differs from that of the preceding column. */
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

/** Cached by the list of columns, because all rows of a file share one list. */
const shapedByColumns = new WeakMap<readonly string[], readonly ShapedColumn[]>();

/** The first column whose form is right only in the next cell: a separator inside a text has moved all cells by one. */
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

/**
 * The forms that count as readable. They are more generous than `SHAPES`: words and placeholders of exporters are
 * allowed.
 */
const READABLE: readonly (readonly [columns: RegExp, shape: RegExp])[] = [
  [/^(?:CREATE|UPDATE)_DATE$/, /\d{8}|\d\D+\d/],
  [/^(?:BED|BATH|LIVING_)ROOMS$/, /^\D{0,3}\d|^\p{L}{1,12}$/u],
  [/^PRICE$/, /\d|application|request|ask|offer|auction|^(?:poa|tba|tbc|n\/?a)$/i],
  [
    /^(?:STATUS|PROP_SUB|TRANS_TYPE|LET_TYPE|LET_FURN|TENURE_TYPE|AREA_SIZE_UNIT)_ID$|^PRICE_QUALIFIER$/,
    /^\D{0,40}\d{0,3}\D{0,40}$/,
  ],
  [/^POSTCODE1$/, /\d|^\S{1,4}$/],
  [/^POSTCODE2$/, /^.{1,8}$/],
  [/^(?:EXACT_)?(?:LATITUDE|LONGI?D?ITUDE)$/, /^[^\p{L}]{0,3}\d/u],
];

/** The number of unreadable cells that proves a shift: two in one row are no coincidence. */
const FEWEST_UNREADABLE = 2;

const readableByColumns = new WeakMap<readonly string[], readonly ShapedColumn[]>();

/** Columns with unreadable cells, if there are several: then the row is shifted, whatever its number of cells. */
export function unreadableColumns(columns: readonly string[], cells: readonly string[]): string[] | undefined {
  let typed = readableByColumns.get(columns);
  if (typed === undefined) {
    typed = columns.flatMap((name, place) => {
      const shape = READABLE.find(([names]) => names.test(name))?.[1];
      return shape === undefined ? [] : [{ place, name, shape }];
    });
    readableByColumns.set(columns, typed);
  }
  let unreadable: string[] | undefined;
  for (const { place, name, shape } of typed) {
    const cell = cells[place]?.trim() ?? '';
    if (cell !== '' && !shape.test(cell)) (unreadable ??= []).push(name);
  }
  return unreadable !== undefined && unreadable.length >= FEWEST_UNREADABLE ? unreadable : undefined;
}
