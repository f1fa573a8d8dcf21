import { writeKyeroXml } from '../../tools/simulator/feeds/kyero';
import { inventProperties } from '../../tools/simulator/properties';
import type { Property } from '../../tools/simulator/property';

/** Different records, before they come again with another identifier. */
const DISTINCT = 1_000;
const PHOTOS = 12;
/** Agencies write more than the simulator does. */
const REPEATED_TEXT = 3;
const CHUNK_BYTES = 256 * 1024;

/** A Kyero feed of so many records, of about 3.5 KB and with 12 photos each, in pieces: no record is like another. */
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

/** A Kyero feed of about so many bytes. */
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
