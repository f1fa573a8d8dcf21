import { readFromRoot } from '../read-from-root';

const [, list = ''] = /<!-- what fills -->([^]*)<!-- \/what fills -->/.exec(readFromRoot('SECURITY.md')) ?? [];
/** Rows of the table in SECURITY.md that lists the tables in memory that requests can fill. */
export const ROWS = list
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| what is kept'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
/** The files that these rows name, with the maximum megabytes of their row. */
export const LISTED = ROWS.flatMap(([, what = '', , , mb = '']) =>
  [...what.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => ({ file, mostMb: parseFloat(mb) })),
);
