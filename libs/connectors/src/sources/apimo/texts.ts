import type { JsonRecord } from '../../formats/json-records';
import { languagesOf } from '../../kit/by-language';
import { plainLine, plainText } from '../../kit/clean/plain-text';
import type { RecordContext } from '../../kit/contracts';
import { listOf } from '../../kit/path';
import { textOf } from '../../kit/scalar';

/** The API leaves a stray quotation mark in `comment_full` where nobody wrote one. */
const LONGEST_STUB = 2;

type Comment = Readonly<Record<string, unknown>>;

/** The title in the language that is wanted, else the first there is, else the property's name. */
export function titleOf(record: JsonRecord, context: RecordContext): string | undefined {
  return (
    firstOf(record, context, (comment) => plainLine(textOf(comment['title']))) ?? plainLine(textOf(record['name']))
  );
}

/** The long description where there is one, else the short one. */
export function descriptionOf(record: JsonRecord, context: RecordContext): string | undefined {
  return firstOf(record, context, (comment) => {
    const full = textOf(comment['comment_full']) ?? '';
    return (full.length > LONGEST_STUB ? plainText(full) : undefined) ?? plainText(textOf(comment['comment']));
  });
}

function firstOf(
  record: JsonRecord,
  context: RecordContext,
  read: (comment: Comment) => string | undefined,
): string | undefined {
  const comments = listOf(record['comments']).filter((one): one is Comment => typeof one === 'object' && one !== null);
  for (const language of languagesOf(context.settings)) {
    for (const comment of comments) {
      if (textOf(comment['language'])?.toLowerCase() !== language) continue;
      const text = read(comment);
      if (text !== undefined) return text;
    }
  }
  for (const comment of comments) {
    const text = read(comment);
    if (text !== undefined) return text;
  }
  return undefined;
}
