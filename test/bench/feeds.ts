import { writeKyeroXml } from '../../tools/simulator/feeds/kyero';
import { inventProperties } from '../../tools/simulator/properties';
import type { Property } from '../../tools/simulator/property';

/** The number of different records; after them the same records repeat with other identifiers. */
const DISTINCT = 1_000;
const PHOTOS = 12;
/** Agencies write longer texts than the simulator. */
const REPEATED_TEXT = 3;
const CHUNK_BYTES = 256 * 1024;

/**
 * A Kyero feed with the given number of records, in pieces. Each record has about 2.6 KB and 12 photos. The records
 * repeat after `DISTINCT` records, with other identifiers.
 */
export function* kyeroFeed(records: number, note = ''): Generator<Buffer> {
  const { head, templates, tail } = templatesOf(note);
  let piece = head;
  for (let id = 1; id <= records; id += 1) {
    piece += templates[id % templates.length]!.join(String(1_000_000 + id));
    if (piece.length < CHUNK_BYTES) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece + tail);
}

/** The number of records in a Kyero feed of about the given size. */
export function recordsIn(bytes: number): number {
  const { templates } = templatesOf('');
  const size = templates.reduce((sum, template) => sum + Buffer.byteLength(template.join('1000000')), 0);
  return Math.round((bytes * templates.length) / size);
}

function templatesOf(note: string): { head: string; templates: string[][]; tail: string } {
  const properties = inventProperties('kyero', 1, DISTINCT).map((property) => ({
    ...property,
    text: Array.from({ length: REPEATED_TEXT }, () => property.text).flat(),
  }));
  const photoUrls = ({ id }: Property): string[] =>
    Array.from({ length: PHOTOS }, (_, photo) => `https://photos.example.org/kyero/${id}/${photo}.jpg`);
  const document = writeKyeroXml(properties, photoUrls).toString();
  const start = document.indexOf('<property>');
  const end = document.lastIndexOf('</property>') + '</property>'.length;
  const records = document.slice(start, end).split(/(?<=<\/property>)/);
  return {
    head: document.slice(0, start).replace('<root>', `<!-- ${note} --><root>`),
    templates: records.map((record, index) => record.split(String(properties[index]?.id))),
    tail: document.slice(end),
  };
}
