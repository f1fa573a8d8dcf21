/** The cells of a row from its raw form, whose members are named after their positions; private cells are empty. */
export function rowOfRaw(raw: Readonly<Record<string, unknown>>): string[] {
  const cells: string[] = [];
  for (const [position, cell] of Object.entries(raw)) cells[Number(position)] = String(cell);
  return Array.from(cells, (cell: string | undefined) => cell ?? '');
}
