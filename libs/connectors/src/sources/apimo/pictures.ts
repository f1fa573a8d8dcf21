import type { JsonRecord } from '../../formats/json-records';
import { languagesOf } from '../../kit/by-language';
import { toFlag } from '../../kit/clean/flag';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { RecordContext } from '../../kit/contracts';
import { listOf } from '../../kit/path';
import { scalarOf, textOf } from '../../kit/scalar';

/** Pictures by rank; those that are not for the internet stay away. */
export function picturesOf(record: JsonRecord, context: RecordContext): PhotoSource[] {
  const languages = languagesOf(context.settings);
  return listOf(record['pictures'])
    .filter(isForTheInternet)
    .map((picture, index) => {
      if (typeof picture === 'string') return { value: picture, rank: index + 1, legende: undefined };
      const { url, rank, comments } = (picture ?? {}) as Readonly<Record<string, unknown>>;
      return {
        value: url,
        rank: toNumber(scalarOf(rank)) ?? index + 1,
        legende: captionOf(comments, languages),
      };
    })
    .sort((a, b) => a.rank - b.rank);
}

/** `internet: false` keeps a picture for the agency's own papers. */
export function isForTheInternet(picture: unknown): boolean {
  const internet = (picture as { internet?: unknown } | null)?.internet;
  return toFlag(scalarOf(internet)) !== false;
}

function captionOf(comments: unknown, languages: readonly string[]): string | undefined {
  const captions = listOf(comments).flatMap((comment) => {
    const { language, comment: text } = (comment ?? {}) as Readonly<Record<string, unknown>>;
    const caption = textOf(text);
    return caption === undefined ? [] : [{ language: textOf(language)?.toLowerCase(), caption }];
  });
  const wanted = languages
    .map((language) => captions.find((one) => one.language === language))
    .find((one) => one !== undefined);
  return (wanted ?? captions[0])?.caption;
}
