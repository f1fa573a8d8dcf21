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
  const texts = listOf(comments).map((comment) => (comment ?? {}) as Readonly<Record<string, unknown>>);
  const wanted = languages
    .map((language) => texts.find((text) => text['language'] === language))
    .find((text) => text !== undefined);
  return textOf((wanted ?? texts[0])?.['comment']);
}
