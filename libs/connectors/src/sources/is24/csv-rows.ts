import { cellsOf, headOf, type PipeRows, slicePipeRows, wholeRow } from '../../formats/pipe-rows';
import { recordText } from '../../formats/record-text';
import type { XmlRecord } from '../../formats/xml-records';
import type { FeedDocument, RecordContext, RecordFormat, Slice } from '../../kit/contracts';
import { ELEMENTS, HEATING_OF_WAZ, LOOKED_UP, SAID } from './csv-codes';
import { AT, attachmentsIn, COLUMNS, csvKindOf, isOfAttachment } from './csv-columns';
import { ELEMENT, withActions } from './format';

type Members = Record<string, unknown>;

const ROWS: PipeRows = {
  columns: COLUMNS,
  // A row starts with the action, the flag that shows or hides the property, and the kind.
  startsRow: /^[a-z]?\|\d?\|\d{1,2}\|/i,
  mayBeShort: (row) => actionOf(row) !== undefined,
  otherwise: 'neither an IS24ImmobilienTransfer nor the CSV of the portal',
};
const ACTIONS: Readonly<Record<string, 'loeschen' | 'ignorieren'>> = { D: 'loeschen', N: 'ignorieren' };

/** Reads rows without a header, with 182 columns separated by `|`, as the XML elements with the same content. */
export const CSV_ROWS: Pick<RecordFormat<XmlRecord>, 'slice' | 'parse'> = {
  slice: (part) => withActions(ofOneProvider(part), actionOf),
  parse(bytes, context) {
    const text = recordText(bytes, 'windows-1252', context);
    const isDeletion = actionOf(bytes) === 'loeschen';
    return recordOf((isDeletion ? deletionIn(text) : undefined) ?? wholeRow(text, ROWS, AT.id), context);
  },
};

/** The rest of a deletion's row may be missing. The identifier is complete if another cell follows it. */
function deletionIn(text: string): string[] | undefined {
  const cells = cellsOf(text);
  return cells.length > AT.id + 1 ? cells.slice(0, AT.id + 1) : undefined;
}

function actionOf(row: Buffer): 'loeschen' | 'ignorieren' | undefined {
  return ACTIONS[headOf(row).split('|', 1)[0]?.trim().toUpperCase() ?? ''];
}

/** Listing numbers are unique only within one provider, so rows of a second provider make the file incomplete. */
async function* ofOneProvider(part: FeedDocument): AsyncGenerator<Slice> {
  const providers = new Set<string>();
  for await (const slice of slicePipeRows(part, ROWS)) {
    yield slice;
    if (slice.kind !== 'record' || providers.size > 1) continue;
    const provider = slice.bytes
      .toString('latin1')
      .split('|', AT.provider + 1)
      [AT.provider]?.trim();
    if (provider === undefined || provider === '') continue;
    providers.add(provider);
    if (providers.size > 1) yield { kind: 'incomplete', message: 'the file has rows of more than one provider' };
  }
}

function recordOf(cells: readonly string[], context: RecordContext): XmlRecord {
  const { element, columns } = csvKindOf(cells[AT.kind] ?? '');
  const record: Members = { [ELEMENT]: element };
  cells.forEach((cell, column) => {
    if (cell === '' || column === AT.kind || isOfAttachment(column)) return;
    const path = columns.get(column);
    // The allow-list does not contain this name, so the cell gives a warning and stays private.
    if (path === undefined) record[`column ${column}`] = cell;
    else place(record, path, cell, context);
  });
  const attachments = attachmentsIn(cells);
  if (attachments.length > 0) record['MultimediaAnhang'] = attachments;
  return record;
}

function place(record: Members, column: string, cell: string, context: RecordContext): void {
  // For halls this column has two meanings: a number is the kind of heating, any other text says when the hall is free.
  const isFree = column === '@Heizungsart' && record[ELEMENT] === 'HalleProduktion' && !/^\d+$/.test(cell);
  const path = isFree ? '@FreiAb' : column;
  const elements = ELEMENTS.get(path);
  if (elements !== undefined) {
    const names = cell.split(';').flatMap((code) => {
      const name = elements.get(code.trim().toUpperCase());
      // The mapping looks up the kind of marketing, and warns about an unknown code.
      if (name === undefined && path !== 'Vermarktung') context.warn('unknown_word', path, code);
      return name ?? (path === 'Vermarktung' ? code.trim() : []);
    });
    record[path] = Object.fromEntries(names.map((name) => [name, {}]));
  } else if (path === 'Lastenaufzug' || path === 'Kranbahn') {
    if (cell.toUpperCase() === 'J') record[path] = {};
  } else {
    const word = wordOf(record, path, cell, context);
    if (word !== undefined) setAt(record, path, word);
  }
}

/** The word of a code; undefined for an unknown code that the mapping does not look up. */
function wordOf(record: Members, path: string, cell: string, context: RecordContext): string | undefined {
  const code = cell.toUpperCase();
  const said = path === '@Heizungsart' && record[ELEMENT] === 'WAZ' ? HEATING_OF_WAZ : SAID.get(path);
  if (said === undefined) return LOOKED_UP.get(path)?.get(code) ?? cell;
  const word = said.get(code);
  if (word === undefined) context.warn('unknown_word', path, cell);
  return word;
}

const OF_ONE_WAY = /^Vermarktung\.(\w+)\.(@\w+)$/;

/** Sets an amount only if it belongs to the kind of marketing: a sale has no rent. */
function setAt(record: Members, path: string, word: string): void {
  const [, way, member] = OF_ONE_WAY.exec(path) ?? [];
  const ways = record['Vermarktung'] as Members | undefined;
  if (way !== undefined && ways?.[way] === undefined) {
    // Without a kind of marketing the amount is kept: the mapping warns that it is neither a sale nor a letting.
    if (ways === undefined && (member === '@Preis' || member === '@Kaltmiete'))
      setAt(record, 'Vermarktung.@Preis', word);
    return;
  }
  const steps = path.split('.');
  const name = steps.pop() ?? path;
  let members = record;
  for (const step of steps) members = (members[step] ??= {}) as Members;
  members[name] = word;
}
