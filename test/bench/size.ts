/** With `BENCH_SIZE=small` benches run to show that they work; their figures mean nothing then. */
const isSmall = process.env['BENCH_SIZE'] === 'small';

export function sized(full: number, small: number): number {
  return isSmall ? small : full;
}
