import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toUrl } from '../../kit/clean/links';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import type { RecordContext } from '../../kit/contracts';
import { compilePath, listOf, scalarOf, textOf } from '../../kit/values';
import { lookUp } from '../../kit/word-table';
import { LABELS } from './lookups';

const tours = ['propertyVirtualTours.virtualTour3D', 'propertyVirtualTours.virtualTour'].flatMap((path) => [
  compilePath(`${path}.virtualTourUrl`),
  compilePath(path),
]);
const PLANS: ReadonlySet<string> = new Set(['plan', 'appraisalplan']);
const DOCUMENTS: ReadonlySet<string> = new Set(['energycertificate']);

interface Item {
  url: string | undefined;
  label: string;
}

/** Items without an order come last, as listed. */
function itemsOf(list: unknown, prefix: 'image' | 'video'): Item[] {
  return listOf(list)
    .map((one, index) => {
      const members = (typeof one === 'object' && one !== null ? one : {}) as JsonRecord;
      return {
        order: toNumber(scalarOf(members[`${prefix}Order`])) ?? 10_000 + index,
        item: {
          url: textOf(members[`${prefix}Url`]) ?? textOf(one),
          label: textOf(members[`${prefix}Label`])?.toLowerCase() ?? '',
        },
      };
    })
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

const imagesOf = (record: JsonRecord): Item[] => itemsOf(record['propertyImages'], 'image');

export function photosOf(record: JsonRecord, context: RecordContext): PhotoSource[] {
  return imagesOf(record)
    .filter(({ label }) => !PLANS.has(label) && !DOCUMENTS.has(label))
    .map(({ url, label }) => ({
      value: url,
      legende: label === '' ? undefined : lookUp(LABELS, label, 'propertyImages.imageLabel', context),
    }));
}

export function plansOf(record: JsonRecord): LinkSource[] {
  return labelled(record, PLANS);
}

export function documentsOf(record: JsonRecord): LinkSource[] {
  return labelled(record, DOCUMENTS);
}

function labelled(record: JsonRecord, labels: ReadonlySet<string>): LinkSource[] {
  return imagesOf(record)
    .filter(({ label }) => labels.has(label))
    .map(({ url, label }) => ({ value: url, titre: LABELS.find(label) }));
}

export function videoOf(record: JsonRecord): string | undefined {
  return firstAddress(itemsOf(record['propertyVideos'], 'video').map(({ url }) => url));
}

/** A 3D tour is preferred to a panorama tour. */
export function tourOf(record: JsonRecord): string | undefined {
  return firstAddress(tours.map((read) => textOf(read(record))));
}

function firstAddress(words: readonly (string | undefined)[]): string | undefined {
  return words.map((word) => toUrl(word)).find((url) => url !== undefined);
}
