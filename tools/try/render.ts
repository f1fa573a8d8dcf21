import type { FeedTrial } from '@passerelle/connectors';
import { REJECTION_CODES, WARNING_CODES, type Listing } from '@passerelle/domain';
import { UsageError } from '../../apps/ops/src/errors';
import type { RenderOptions } from '../../apps/ops/src/render/render-options';
import { type Column, renderTable } from '../../apps/ops/src/render/table';

/** For people: without colours, because users often save the output to a file. */
const LOOK: RenderOptions = { hasColours: false, now: new Date(0), columns: undefined };
const MOST_WARNINGS = 30;
const FIELDS_PER_LINE = 3;

export function renderTrial(trial: FeedTrial, limit: number): string {
  const { count, listings, rejections, warnings } = trial;
  return [
    headOf(trial),
    ...(trial.error === null ? [] : [`The feed cannot be read: ${trial.error}`]),
    ...(trial.incomplete === null ? [] : [`The feed is incomplete: ${trial.incomplete}`]),
    ...unknownElementsOf(trial),
    part('Listings', count, limit, renderTable(LOOK, LISTING_COLUMNS, listings.slice(0, limit), 'none')),
    part(
      'Rejections',
      rejections.length,
      limit,
      renderTable(LOOK, REJECTION_COLUMNS, rejections.slice(0, limit), 'none'),
    ),
    part(
      'Surprises',
      warnings.length,
      MOST_WARNINGS,
      renderTable(LOOK, WARNING_COLUMNS, warnings.slice(0, MOST_WARNINGS), 'none'),
    ),
    `Fields with a value, in ${count} listings\n${fillTable(trial)}`,
  ].join('\n\n');
}

/** One listing with its raw record. @throws UsageError when the id is unknown. */
export function renderListing({ listings }: FeedTrial, affId: string): string {
  const found = listings.find(({ listing }) => listing.affId === affId || listing.affNum === affId);
  if (found === undefined) throw new UsageError(`the feed has no listing "${affId}"`);
  return JSON.stringify(found, null, 2);
}

function headOf({ connector, source, records, bytes, ms }: FeedTrial): string {
  return `${connector} read ${records} records of ${source} (${bytes} bytes) in ${ms} ms`;
}

function unknownElementsOf({ unknownElements }: FeedTrial): string[] {
  const found = Object.entries(unknownElements).map(([name, count]) => `${name} (${count})`);
  return found.length === 0 ? [] : [`Unknown elements beside the records: ${found.join(', ')}`];
}

function part(title: string, count: number, shown: number, table: string): string {
  return `${title}: ${count}${count > shown ? `, the first ${shown} are shown` : ''}\n${table}`;
}

const LISTING_COLUMNS: readonly Column<{ listing: Listing }>[] = [
  { title: 'affId', value: ({ listing }) => listing.affId },
  { title: 'affNum', value: ({ listing }) => listing.affNum ?? null },
  { title: 'transaction', value: ({ listing }) => listing.typeTransaction ?? null },
  { title: 'type', value: ({ listing }) => listing.typeCode ?? null },
  { title: 'prix', value: ({ listing }) => listing.prix ?? null, align: 'right' },
  { title: 'loyer', value: ({ listing }) => listing.loyer ?? null, align: 'right' },
  { title: 'm²', value: ({ listing }) => listing.surfaceHabitable ?? null, align: 'right' },
  { title: 'codePostal', value: ({ listing }) => listing.codePostal ?? null },
  { title: 'ville', value: ({ listing }) => listing.ville ?? null },
  { title: 'photos', value: ({ listing }) => listing.photos.length, align: 'right' },
  { title: 'intitule', value: ({ listing }) => listing.intitule ?? null },
];

const REJECTION_COLUMNS: readonly Column<FeedTrial['rejections'][number]>[] = [
  { title: 'position', value: ({ position }) => position, align: 'right' },
  { title: 'id', value: ({ recordId }) => recordId ?? null },
  { title: 'field', value: ({ field }) => field ?? null },
  { title: 'reason', value: ({ code, message }) => `${code}: ${message === '' ? REJECTION_CODES[code] : message}` },
  { title: 'excerpt', value: ({ excerpt }) => excerpt ?? null },
];

const WARNING_COLUMNS: readonly Column<FeedTrial['warnings'][number]>[] = [
  { title: 'times', value: ({ count }) => count, align: 'right' },
  { title: 'what', value: ({ code }) => code },
  { title: 'field', value: ({ field }) => field || null },
  { title: 'value', value: ({ value }) => value || null },
  { title: 'listings', value: ({ examples }) => examples.join(', ') || null },
  { title: 'which means', value: ({ code }) => WARNING_CODES[code] },
];

function fillTable({ fill, count: listings }: FeedTrial): string {
  const cells = Object.entries(fill).map(([field, count]) => {
    const share = listings === 0 ? 0 : Math.round((100 * count) / listings);
    return `${field.padEnd(23)}${count === 0 ? '   -' : `${share} %`.padStart(6)}`.padEnd(34);
  });
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += FIELDS_PER_LINE)
    lines.push(
      cells
        .slice(at, at + FIELDS_PER_LINE)
        .join('')
        .trimEnd(),
    );
  return lines.join('\n');
}
