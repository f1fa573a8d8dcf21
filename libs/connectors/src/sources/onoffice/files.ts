import type { JsonRecord } from '../../formats/json-records';
import { toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import { listOf, textOf } from '../../kit/values';

/** The members of an object; empty for any other value. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

interface PictureFile {
  type: string;
  url: unknown;
  title: unknown;
}

/** The documentation calls the title `titel`, but its example has `title`. */
export function filesOf(record: JsonRecord, ...types: string[]): PictureFile[] {
  return listOf(record['pictures']).flatMap((one) => {
    const { type, url, title, titel } = objectOf(one);
    const word = textOf(type) ?? '';
    return types.includes(word) ? [{ type: word, url, title: title ?? titel }] : [];
  });
}

/** The title picture comes first. */
export function photosOf(record: JsonRecord): PhotoSource[] {
  const files = filesOf(record, 'Titelbild', 'Foto', 'Foto_gross', 'Panorama');
  const titleFirst = [
    ...files.filter(({ type }) => type === 'Titelbild'),
    ...files.filter(({ type }) => type !== 'Titelbild'),
  ];
  return titleFirst.map(({ url, title }) => ({ value: textOf(url), legende: textOf(title) }));
}

export function addressOf(record: JsonRecord, type: string): string | undefined {
  return filesOf(record, type)
    .map(({ url }) => toUrl(textOf(url)))
    .find((url) => url !== undefined);
}
