/** Random tests are short in `npm test`; jest.long.config.js runs them at full size. */
export const IS_FULL_SIZE = process.env['FULL_SIZE'] === '1';

/** The size of a random test. The environment variable with this name overrides it. */
export function sizeOf(name: string, sizes: { brief: number; full: number }): number {
  return Number(process.env[name] ?? (IS_FULL_SIZE ? sizes.full : sizes.brief));
}
