import type { JsonRecord } from '../../formats/json-records';
import type { LinkSource } from '../../kit/clean/attachments';
import { toFlag } from '../../kit/clean/fold-word';
import { toUrl } from '../../kit/clean/links';
import { toNumber } from '../../kit/clean/number';
import type { PhotoSource } from '../../kit/clean/photos';
import { listOf, scalarOf, textOf } from '../../kit/values';

/** Width and height in pixels. Without them the API gives a preview of 150 by 100. It never enlarges a picture. */
const FRAME = '1920';

interface Medium {
  soort: string;
  mimetype: string;
  link: string | undefined;
  titel: string | undefined;
  volgnummer: number;
}

export function isReleased(medium: unknown): boolean {
  return toFlag(scalarOf((medium as JsonRecord | null)?.['vrijgave'])) !== false;
}

function mediaOf(record: JsonRecord): Medium[] {
  return listOf(record['media'])
    .flatMap((one, index): Medium[] => {
      if (typeof one !== 'object' || one === null) return [];
      if (!isReleased(one)) return [];
      const { soort, mimetype, link, titel, omschrijving, volgnummer } = one as JsonRecord;
      return [
        {
          soort: textOf(soort)?.toUpperCase() ?? '',
          mimetype: textOf(mimetype)?.toLowerCase() ?? '',
          link: textOf(link),
          titel: textOf(titel) ?? textOf(omschrijving),
          volgnummer: toNumber(scalarOf(volgnummer)) ?? index,
        },
      ];
    })
    .sort((a, b) => a.volgnummer - b.volgnummer);
}

/** The main photo first. */
export function photosOf(record: JsonRecord): PhotoSource[] {
  const media = mediaOf(record);
  const photos = [...media.filter(isOf('HOOFDFOTO')), ...media.filter(isOf('FOTO'))];
  return photos.map(({ link, titel }) => ({ value: framed(link), legende: titel }));
}

export function plansOf(record: JsonRecord): LinkSource[] {
  return mediaOf(record)
    .filter(isOf('PLATTEGROND'))
    .map(({ link, titel, mimetype }) => ({ value: mimetype.startsWith('image/') ? framed(link) : link, titre: titel }));
}

export function documentsOf(record: JsonRecord): LinkSource[] {
  return mediaOf(record)
    .filter(({ mimetype, soort }) => mimetype === 'application/pdf' && soort !== 'PLATTEGROND')
    .map(({ link, titel }) => ({ value: link, titre: titel }));
}

export function videoOf(record: JsonRecord): string | undefined {
  return mediaOf(record).flatMap((one) => (isOf('VIDEO')(one) ? (toUrl(one.link) ?? []) : []))[0];
}

const isOf =
  (soort: string) =>
  (medium: Medium): boolean =>
    medium.soort === soort;

/** The signature of the link does not cover the width and the height. */
function framed(link: string | undefined): string | undefined {
  const url = toUrl(link);
  if (url === undefined || /[?&](?:width|height)=/.test(url)) return url ?? link;
  return `${url}${url.includes('?') ? '&' : '?'}width=${FRAME}&height=${FRAME}`;
}
