import { archiveFiles } from './archive-files';
import type { ZipEntry } from './zip-archive';

function entry(name: string, crc32 = name.length, otherName?: string): ZipEntry {
  return { name, otherName, sizeBytes: 1, crc32, isDeflated: false, compressedBytes: () => noBytes() };
}

async function* noBytes(): AsyncGenerator<Buffer> {
  // An entry without bytes.
}

const find = (entries: ZipEntry[], name: string, folder = ''): string | undefined =>
  archiveFiles(entries, false).find(name, folder)?.name;

describe('archive file lookup', () => {
  it.each([
    ['in another case', 'KUECHE.jpg', 'kueche.JPG'],
    ['without the folder that the archive has', '1.jpg', 'Export/Photos/1.jpg'],
    ['with a folder that the archive does not have', 'photos/1.jpg', '1.jpg'],
    ['with backslashes', 'photos\\1.jpg', 'photos/1.jpg'],
    ['as a file URL', 'file:///photos/1.jpg', 'photos/1.jpg'],
    ['with a leading `./`', './1.jpg', '1.jpg'],
    ['percent-encoded', 'vue%201.jpg', 'vue 1.jpg'],
    ['with accents in another Unicode form', 'fac\u0327ade.jpg', 'fa\u00e7ade.jpg'],
  ])('finds a file that the feed names differently: %s', (_how, name, inArchive) => {
    expect(find([entry('other.jpg'), entry(inArchive)], name)).toBe(inArchive);
  });

  it("finds a file by the alternative reading of its name when the name's encoding is not declared", () => {
    expect(find([entry('entr\u0398e.jpg', 1, 'entr\u00e9e.jpg')], 'Entr\u00e9e.jpg')).toBe('entr\u0398e.jpg');
  });

  it('prefers the folders in the requested name, then the folder of the records', () => {
    const entries = [entry('a/x/1.jpg', 1), entry('b/x/1.jpg', 2), entry('b/y/1.jpg', 3)];
    expect(find(entries, 'y/1.jpg', 'a/')).toBe('b/y/1.jpg');
    expect(find(entries, 'x/1.jpg', 'b/')).toBe('b/x/1.jpg');
    expect(find(entries, '1.jpg', 'a/')).toBe('a/x/1.jpg');
  });

  it('finds a file only if the name is unambiguous', () => {
    expect(find([entry('a/1.jpg', 1), entry('b/1.jpg', 2)], '1.jpg')).toBeUndefined();
    expect(find([entry('a/1.jpg', 1), entry('b/1.jpg', 1)], '1.jpg')).toBe('a/1.jpg');
    expect(find([entry('1.jpg')], '2.jpg')).toBeUndefined();
    expect(find([entry('1.jpg')], '')).toBeUndefined();
  });
});
