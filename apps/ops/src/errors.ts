import { isUrl } from '@passerelle/domain';
import { Refused } from '@passerelle/operations';

/** Wrong use of the command line: the message names the option and its allowed values. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_FUNCTION = '42883';

export function sentenceOf(error: unknown): string {
  const code = codeOf(error);
  if (code === UNDEFINED_TABLE) return 'the database has no Passerelle tables yet: run the migrations, or npm start';
  if (code === UNDEFINED_FUNCTION) return 'the database lacks migrations of this release: run the migrations';
  if (error instanceof AggregateError && error.message === '') return sentenceOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').trim() || (code ?? 'an unknown error');
}

/** Why the database cannot be used, without the password of its address. */
export function databaseUnreachable(url: string, cause: unknown): Refused {
  const place = isUrl(url) ? new URL(url).host : 'DATABASE_URL';
  return new Refused(`the database at ${place} cannot be used: ${sentenceOf(cause)}`, { cause });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
