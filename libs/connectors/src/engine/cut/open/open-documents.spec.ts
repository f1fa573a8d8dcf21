import AdmZip from 'adm-zip';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BadFeed } from '@passerelle/domain';
import type { Opening } from '../../../kit/feed-shape';
import { type Spool, spoolFrom } from '../../fetch/spool';
import { SpoolReservation } from '../../fetch/spool-budget';
import { openDocuments } from './open-documents';

const CSV_OR_ZIP: Opening = {
  container: 'zip-or-plain',
  holdsRecords: (name) => name.endsWith('.csv'),
  sidecars: { config: (name) => name.endsWith('config.txt') },
};

/** Returns the documents as `[name, content]` pairs, and the sidecars. */
async function opened(
  bytes: Buffer,
  opening: Opening = CSV_OR_ZIP,
  maxBytes = 100_000_000,
): Promise<{ documents: [string, string][]; sidecars: Record<string, string> }> {
  const chunks = async function* (): AsyncGenerator<Buffer> {
    await Promise.resolve();
    yield bytes;
  };
  const directory = new SpoolReservation();
  const spool = await spoolFrom(chunks(), directory);
  const innerSpools: Spool[] = [];
  try {
    const { documents, sidecars } = await openDocuments(spool, opening, maxBytes, async (entry) => {
      const inner = await spoolFrom(entry, directory);
      innerSpools.push(inner);
      return inner;
    });
    const read: [string, string][] = [];
    for (const document of documents) {
      const content: Buffer[] = [];
      for await (const chunk of document.open()) content.push(Buffer.from(chunk));
      read.push([document.name, Buffer.concat(content).toString()]);
    }
    return { documents: read, sidecars };
  } finally {
    for (const one of [spool, ...innerSpools]) await one.close();
    directory.leave();
  }
}

interface Entry {
  name: string | Buffer;
  content?: Buffer | string;
  attr?: number;
}

/** Builds an archive; `patch` then writes bytes into it that adm-zip would not write. */
function anArchive(entries: readonly Entry[], patch?: (archive: Buffer, directory: number) => void): Buffer {
  const zip = new AdmZip();
  const names = entries.map(({ name }, at) => (typeof name === 'string' ? name : `${at}`.padEnd(name.length, '_')));
  entries.forEach(({ content = '', attr }, at) => {
    zip.addFile(names[at] ?? '', Buffer.from(content), '', attr);
  });
  const archive = zip.toBuffer();
  // adm-zip would correct these names, so they overwrite placeholders of the same length.
  entries.forEach(({ name }, at) => {
    if (typeof name === 'string') return;
    const placeholder = Buffer.from(names[at] ?? '');
    for (let found = archive.indexOf(placeholder); found >= 0; found = archive.indexOf(placeholder, found + 1)) {
      name.copy(archive, found);
    }
  });
  patch?.(archive, archive.indexOf('PK\u0001\u0002', 0, 'latin1'));
  return archive;
}

const GOOD = { name: 'Annonces.csv', content: 'records' };

describe('openDocuments', () => {
  it('reads a plain document unchanged, even when the connector expects an archive', async () => {
    for (const container of ['plain', 'zip', 'zip-or-plain'] as const) {
      const { documents } = await opened(Buffer.from('a;b'), { ...CSV_OR_ZIP, container });
      expect(documents).toEqual([['feed', 'a;b']]);
    }
  });

  it('unpacks a gzipped document up to the size limit, and rejects truncated gzip', async () => {
    const packed = gzipSync('x'.repeat(10_000));
    expect((await opened(packed)).documents[0]?.[1]).toHaveLength(10_000);
    await expect(opened(packed, CSV_OR_ZIP, 9999)).rejects.toThrow(BadFeed);
    await expect(opened(packed.subarray(0, 30))).rejects.toThrow('the compressed feed is cut');
  });

  it('unpacks a gzipped document that is large enough to be spooled to a file', async () => {
    const document = randomBytes(5_000_000).toString('base64');
    const packed = gzipSync(document, { level: 1 });
    expect(packed.length).toBeGreaterThan(4 * 1024 * 1024);
    expect((await opened(packed)).documents[0]?.[1] === document).toBe(true);
  });

  it('rejects an empty body, and an archive where archives are not supported', async () => {
    await expect(opened(Buffer.alloc(0))).rejects.toThrow(new BadFeed('the feed is empty (0 bytes)'));
    await expect(opened(anArchive([GOOD]), { container: 'plain' })).rejects.toThrow(/is a ZIP archive/);
  });

  it('finds record files, in the order of their names, and sidecar files in an archive', async () => {
    const archive = anArchive([
      { name: 'EXPORT/B.CSV', content: 'b'.repeat(100_000) },
      { name: 'EXPORT/' },
      { name: 'EXPORT/A.csv', content: 'a' },
      { name: 'CONFIG.TXT', content: 'Devise=Euro é' },
      { name: '__MACOSX/._A.csv', content: 'x' },
      { name: 'EXPORT/Thumbs.db', content: 'x' },
      { name: 'photo.jpg', content: 'x' },
    ]);
    expect(await opened(archive)).toEqual({
      documents: [
        ['EXPORT/A.csv', 'a'],
        ['EXPORT/B.CSV', 'b'.repeat(100_000)],
      ],
      sidecars: { config: 'Devise=Euro é' },
    });
  });

  it('opens an archive inside an archive like a folder when no other file matches', async () => {
    const inner = anArchive([GOOD, { name: 'Config.txt', content: 'Devise=Euro' }]);
    const other = anArchive([{ name: 'b.csv', content: 'b' }]);
    const outer = anArchive([
      { name: 'agence-1.ZIP', content: inner },
      { name: 'sub/agence-2.zip', content: other },
      { name: 'lisez-moi.txt', content: 'x' },
    ]);
    expect(await opened(outer)).toEqual({
      documents: [
        ['agence-1/Annonces.csv', 'records'],
        ['sub/agence-2/b.csv', 'b'],
      ],
      sidecars: { config: 'Devise=Euro' },
    });
  });

  it('does not open inner archives next to a matching file, or archives nested two levels deep', async () => {
    const inner = anArchive([GOOD]);
    expect(
      (
        await opened(
          anArchive([
            { name: 'a.csv', content: 'a' },
            { name: 'old.zip', content: inner },
          ]),
        )
      ).documents,
    ).toEqual([['a.csv', 'a']]);
    const twice = anArchive([{ name: 'b.zip', content: anArchive([{ name: 'a.zip', content: inner }]) }]);
    await expect(opened(twice)).rejects.toThrow('does not hold the file that was expected: it has "b/a.zip"');
  });

  it('applies the same size limit to an archive inside an archive', async () => {
    const inner = anArchive([{ name: 'a.csv', content: 'x'.repeat(5_000) }]);
    await expect(opened(anArchive([{ name: 'a.zip', content: inner }]), CSV_OR_ZIP, 5_050)).rejects.toThrow(BadFeed);
  });

  it('passes names in lower case and with forward slashes to the connector, together with the list of all names', async () => {
    const asked: unknown[] = [];
    const holdsRecords = (name: string, names: readonly string[]): boolean => asked.push([name, names]) > 0;
    await opened(anArchive([{ name: Buffer.from('EXPORT\\A.csv') }]), { container: 'zip', holdsRecords });
    expect(asked).toEqual([['export/a.csv', ['export/a.csv']]]);
  });

  it('reads entry names in CP437 and in UTF-8', async () => {
    const archive = anArchive([{ name: Buffer.from('Entr\x82e.csv', 'latin1'), content: 'a' }], (bytes, directory) => {
      bytes.writeUInt16LE(0, directory + 8);
    });
    expect((await opened(archive)).documents).toEqual([['Entrée.csv', 'a']]);
    expect((await opened(anArchive([{ name: 'Entrée.csv', content: 'a' }]))).documents).toEqual([['Entrée.csv', 'a']]);
  });

  it('finds no records in an empty file', async () => {
    expect(await opened(anArchive([{ name: 'Annonces.csv' }]))).toEqual({ documents: [], sidecars: {} });
  });

  it('rejects an archive without the expected file, and lists the files that it has', async () => {
    await expect(opened(anArchive([{ name: 'a.xml' }, { name: 'b.jpg' }]))).rejects.toThrow(
      new BadFeed('the archive does not hold the file that was expected: it has "a.xml", "b.jpg"'),
    );
    await expect(opened(new AdmZip().toBuffer())).rejects.toThrow(/it has no files/);
  });
});

describe('a malicious archive', () => {
  it.each([
    '../evil.txt',
    'a/../../evil',
    '/etc/passwd',
    'C:/evil',
    'c:evil',
    '..\\evil.txt',
    'a\\..\\..\\evil',
    '\\evil',
    'a\0b',
  ])('is refused for the name %j', async (name) => {
    const archive = anArchive([GOOD, { name: Buffer.from(name) }]);
    await expect(opened(archive)).rejects.toThrow(/leads out of the archive/);
  });

  it('is refused for a symbolic link', async () => {
    const archive = anArchive([GOOD, { name: 'link', content: '/etc/passwd' }], (bytes, directory) => {
      const link = bytes.indexOf('PK\u0001\u0002', directory + 4, 'latin1');
      bytes.writeUInt32LE((0o120777 << 16) >>> 0, link + 38);
    });
    await expect(opened(archive)).rejects.toThrow(/"link" is a symbolic link/);
  });

  it.each([
    ['is encrypted', 8, 1],
    ['is compressed in an unknown way', 10, 12],
  ])('is refused when an entry %s', async (why, field, value) => {
    const archive = anArchive([GOOD], (bytes, directory) => {
      bytes.writeUInt16LE(value, directory + field);
    });
    await expect(opened(archive)).rejects.toThrow(why);
  });

  it('is refused when it has more entries than a feed needs', async () => {
    const archive = anArchive([GOOD], (bytes) => {
      bytes.writeUInt16LE(50_001, bytes.length - 14);
      bytes.writeUInt16LE(50_001, bytes.length - 12);
    });
    await expect(opened(archive)).rejects.toThrow(/more than 50000 entries/);
  });

  it('is refused when it would grow too much, by ratio or in total', async () => {
    await expect(opened(anArchive([{ name: 'a.csv', content: Buffer.alloc(5_000_000) }]))).rejects.toThrow(
      /grows more than 200 times/,
    );
    const entries = [1, 2, 3].map((at) => ({ name: `${at}.csv`, content: 'x'.repeat(400) }));
    await expect(opened(anArchive(entries), CSV_OR_ZIP, 1000)).rejects.toThrow(/larger than the limit/);
  });

  it('is refused when many entries share the bytes of one entry', async () => {
    const one = anArchive([{ name: '0.csv', content: randomBytes(4_000).toString('hex') }]);
    const directory = one.indexOf('PK\u0001\u0002', 0, 'latin1');
    const [local, entry, end] = [
      one.subarray(0, directory),
      one.subarray(directory, -22),
      Buffer.from(one.subarray(-22)),
    ];
    const copies = Array.from({ length: 9 }, (_, at) => {
      const copy = Buffer.from(entry);
      copy.write(String(at), 46);
      return copy;
    });
    for (const field of [8, 10]) end.writeUInt16LE(copies.length, field);
    end.writeUInt32LE(entry.length * copies.length, 12);
    await expect(opened(Buffer.concat([local, ...copies, end]), CSV_OR_ZIP, 50_000)).rejects.toThrow(BadFeed);
  });

  it('is refused when an entry is larger than the directory says', async () => {
    const archive = anArchive([{ name: 'a.csv', content: 'x'.repeat(5000) }], (bytes, directory) => {
      bytes.writeUInt32LE(100, directory + 24);
    });
    await expect(opened(archive)).rejects.toThrow(/"a.csv" is larger than it says/);
  });
});

describe('an archive that was damaged in transfer', () => {
  const content = Array.from({ length: 2000 }, (_, at) => `record ${at * 7919}\n`).join('');
  const archive = anArchive([{ name: 'a.csv', content }]);

  it.each([50, 1000, archive.length - 1, archive.length - 22, archive.length - 60])(
    'is recognised when it is cut after %i bytes',
    async (bytes) => {
      await expect(opened(archive.subarray(0, bytes))).rejects.toThrow(/^the archive is cut/);
    },
  );

  it('is recognised by a wrong checksum', async () => {
    const damaged = anArchive([{ name: 'a.csv', content }], (bytes, directory) => {
      bytes.writeUInt32LE(1234, directory + 16);
    });
    await expect(opened(damaged)).rejects.toThrow(
      new BadFeed('the archive\'s entry "a.csv" is damaged: its checksum is wrong'),
    );
  });

  it('is recognised by invalid compressed bytes', async () => {
    const damaged = Buffer.from(archive);
    damaged.fill(0xff, 60, 200);
    await expect(opened(damaged)).rejects.toThrow(/"a.csv" is damaged/);
  });

  it('is recognised when an entry has fewer bytes than the directory says', async () => {
    const short = anArchive([{ name: 'a.csv', content }], (bytes, directory) => {
      bytes.writeUInt32LE(content.length + 1, directory + 24);
    });
    await expect(opened(short)).rejects.toThrow(/"a.csv" is cut/);
  });
});
