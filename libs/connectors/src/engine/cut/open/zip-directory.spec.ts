import { crc32 } from 'node:zlib';
import { BadFeed } from '@passerelle/domain';
import { archiveOf } from '../../../../../../test/support/connectors/read-dropped';
import { spoolFrom } from '../../fetch/spool';
import { SpoolReservation } from '../../fetch/spool-budget';
import { zipEntries, zipEntryBytes } from './zip-archive';

const CONTENT = 'a record\n'.repeat(50);

async function read(archive: Buffer): Promise<[string, string][]> {
  const bytes = async function* (): AsyncGenerator<Buffer> {
    yield await Promise.resolve(archive);
  };
  const spool = await spoolFrom(bytes(), new SpoolReservation());
  const found: [string, string][] = [];
  for (const entry of await zipEntries(spool, 1_000_000)) {
    const chunks: Buffer[] = [];
    for await (const chunk of zipEntryBytes(entry)) chunks.push(chunk);
    found.push([entry.name, Buffer.concat(chunks).toString()]);
  }
  return found;
}

/** The archive with its sizes and offsets in ZIP64 fields, as streaming writers store them. */
function inZip64(archive: Buffer): Buffer {
  const [directoryAt, endAt] = [archive.indexOf('PK\x01\x02'), archive.lastIndexOf('PK\x05\x06')];
  const entry = Buffer.from(archive.subarray(directoryAt, endAt));
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  for (const [index, field] of [24, 20, 42].entries()) {
    extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(field)), 4 + index * 8);
    entry.writeUInt32LE(0xffffffff, field);
  }
  entry.writeUInt16LE(extra.length, 30);
  const directory = Buffer.concat([entry, extra]);
  const end64 = Buffer.alloc(56);
  end64.write('PK\x06\x06');
  end64.writeBigUInt64LE(1n, 32);
  end64.writeBigUInt64LE(BigInt(directory.length), 40);
  end64.writeBigUInt64LE(BigInt(directoryAt), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07');
  locator.writeBigUInt64LE(BigInt(directoryAt + directory.length), 8);
  const end = Buffer.from(archive.subarray(endAt));
  end.fill(0xff, 8, 20);
  return Buffer.concat([archive.subarray(0, directoryAt), directory, end64, locator, end]);
}

/** The archive with a second spelling of its entry's name, as Info-ZIP writes it (APPNOTE.TXT, section 4.6.9). */
function withUnicodePath(archive: Buffer, rawName: Buffer, unicodeName: string, checkedName = rawName): Buffer {
  const [directoryAt, endAt] = [archive.indexOf('PK\x01\x02'), archive.lastIndexOf('PK\x05\x06')];
  const entry = Buffer.from(archive.subarray(directoryAt, endAt));
  rawName.copy(entry, 46);
  entry.writeUInt16LE(0, 8);
  const spelled = Buffer.from(unicodeName);
  const extra = Buffer.alloc(9 + spelled.length);
  extra.writeUInt16LE(0x7075, 0);
  extra.writeUInt16LE(5 + spelled.length, 2);
  extra.writeUInt8(1, 4);
  extra.writeUInt32LE(crc32(checkedName), 5);
  spelled.copy(extra, 9);
  entry.writeUInt16LE(extra.length, 30);
  const end = Buffer.from(archive.subarray(endAt));
  end.writeUInt32LE(entry.length + extra.length, 12);
  return Buffer.concat([archive.subarray(0, directoryAt), entry, extra, end]);
}

describe('archive directory', () => {
  const archive = archiveOf({ 'a.csv': CONTENT });

  it('is read in ZIP and in ZIP64 form', async () => {
    expect(await read(archive)).toEqual([['a.csv', CONTENT]]);
    expect(await read(inZip64(archive))).toEqual([['a.csv', CONTENT]]);
  });

  it('is read after a comment, and in an archive that does not begin at the first byte', async () => {
    const commented = Buffer.concat([archive, Buffer.from('a comment')]);
    commented.writeUInt16LE(9, archive.length - 2);
    expect(await read(commented)).toEqual([['a.csv', CONTENT]]);
    expect(await read(Buffer.concat([Buffer.from('#!/bin/sh\n'), archive]))).toEqual([['a.csv', CONTENT]]);
  });

  it("names an entry by its Unicode path, if the checksum in that field matches the entry's name", async () => {
    const rawName = Buffer.from('d\xe9.csv', 'latin1');
    const plain = archiveOf({ 'dx.csv': CONTENT });
    expect(await read(withUnicodePath(plain, rawName, 'dé.csv'))).toEqual([['dé.csv', CONTENT]]);
    // A program that does not know the field has renamed the entry.
    expect(await read(withUnicodePath(plain, rawName, 'old.csv', Buffer.from('old.csv')))).toEqual([
      ['dΘ.csv', CONTENT],
    ]);
  });

  it.each([
    ['counts more entries than it has', 10, 2],
    ['declares a length greater than that of the archive', 12, 0x7fffffff],
  ])('is refused when it %s', async (_what, field, value) => {
    const wrong = Buffer.from(archive);
    const end = wrong.length - 22;
    if (field === 10) wrong.writeUInt16LE(value, end + field);
    else wrong.writeUInt32LE(value, end + field);
    await expect(read(wrong)).rejects.toThrow(BadFeed);
  });

  it.each([
    ['one entry fewer than it has', { 'a.csv': CONTENT, 'b.csv': CONTENT }, 1],
    ['no entries although it has one, as after an overflow of the count', { 'a.csv': CONTENT }, 0],
  ])('is refused when it counts %s', async (_what, files, count) => {
    const wrong = archiveOf(files);
    for (const field of [8, 10]) wrong.writeUInt16LE(count, wrong.length - 22 + field);
    await expect(read(wrong)).rejects.toThrow(BadFeed);
  });

  it('is read when a signature follows its entries', async () => {
    const endAt = archive.lastIndexOf('PK\x05\x06');
    const signature = Buffer.from('PK\x05\x05\x02\0ab', 'latin1');
    const end = Buffer.from(archive.subarray(endAt));
    end.writeUInt32LE(end.readUInt32LE(12) + signature.length, 12);
    expect(await read(Buffer.concat([archive.subarray(0, endAt), signature, end]))).toEqual([['a.csv', CONTENT]]);
  });

  it('is rejected when it gives a wrong offset for an entry', async () => {
    const wrong = Buffer.from(archive);
    wrong.writeUInt32LE(7, wrong.indexOf('PK\x01\x02') + 42);
    await expect(read(wrong)).rejects.toThrow(/the bytes of "a.csv" are missing/);
  });
});
