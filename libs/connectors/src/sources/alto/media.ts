import type { XmlRecord } from '../../formats/xml-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toUrl } from '../../kit/clean/links';
import type { PhotoSource } from '../../kit/clean/photos';
import { compilePath, listOf, textOf } from '../../kit/values';
import { FILE_TYPES } from './lookups';

const filesAt = compilePath('files.file');

interface AltoFile {
  url: string | undefined;
  name: string | undefined;
}

function filesOf(record: XmlRecord, ...types: (keyof typeof FILE_TYPES)[]): AltoFile[] {
  const wanted = new Set<string>(types.map((type) => FILE_TYPES[type]));
  return listOf(filesAt(record))
    .flatMap((one, index) => {
      if (typeof one !== 'object' || one === null) return [];
      const { '@type': type, '@id': id, url, name } = one as XmlRecord;
      if (!wanted.has(textOf(type) ?? FILE_TYPES.photo)) return [];
      const order = Number(textOf(id) ?? index);
      return [{ order: Number.isFinite(order) ? order : index, url: textOf(url), name: textOf(name) }];
    })
    .sort((a, b) => a.order - b.order);
}

export function photosOf(record: XmlRecord): PhotoSource[] {
  return filesOf(record, 'photo').map(({ url, name }) => ({ value: url, legende: name }));
}

export function plansOf(record: XmlRecord): LinkSource[] {
  return filesOf(record, 'plan').map(({ url, name }) => ({ value: url, titre: name }));
}

export function documentsOf(record: XmlRecord): LinkSource[] {
  return filesOf(record, 'document', 'certificate').map(({ url, name }) => ({ value: url, titre: name }));
}

export function tourOf(record: XmlRecord): string | undefined {
  return filesOf(record, 'tour').flatMap(({ url }) => toUrl(url) ?? [])[0];
}
