import { WrongUse } from '../failures';

/** @throws WrongUse naming the option. */
export function parseWholeNumber(option: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : NaN;
  if (number <= most && Number.isSafeInteger(number)) return number;
  const range = most === Number.MAX_SAFE_INTEGER ? 'a whole number from 1' : `a whole number from 1 to ${most}`;
  throw new WrongUse(`${option} takes ${range}, not "${text}"`);
}
