import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ExportContext, ExportDocument, ExportFile, ExportItem } from '../kit/contracts';
import { hashOf } from './hashes';
import { ZipFile } from 'yazl';

/** Adverts are written in larger pieces. */
const PIECE_BYTES = 256 * 1024;

/** Saves a photo as a file. @returns false when it cannot be read: the advert is worth more than one photo */
export type SavePhoto = (url: string, path: string, signal: AbortSignal) => Promise<boolean>;

/** A document in a temporary folder, written while the list is read. Must be removed. */
export class ComposedDocument {
  /** Over the adverts and the files beside them, but not over times in the document: equal lists have equal hashes. */
  private hash = '';
  private adverts = 0;
  private readonly photos: { name: string; url: string; affId: string }[] = [];
  /** How many photos of a listing are not in the archive, because they could not be read; by `affId`. */
  readonly missingPhotos = new Map<string, number>();
  private unwritten: Buffer[] = [];
  private unwrittenBytes = 0;

  private constructor(
    private readonly document: ExportDocument,
    private readonly context: ExportContext,
    private readonly directory: string,
    private readonly out: FileHandle,
    readonly file: ExportFile,
  ) {}

  /** @param folder of temporary files; null for that of the system */
  static async begin(
    document: ExportDocument,
    context: ExportContext,
    configHash: string,
    folder: string | null,
  ): Promise<ComposedDocument> {
    const directory = await mkdtemp(join(folder ?? tmpdir(), 'passerelle-export-'));
    const out = await open(join(directory, 'document'), 'w').catch(async (error: unknown) => {
      await rm(directory, { recursive: true, force: true });
      throw error;
    });
    const file = document.file(context);
    const composed = new ComposedDocument(document, context, directory, out, file);
    composed.hash = hashOf(configHash, document.start({ ...context, publishedAtMs: 0 }), JSON.stringify(file));
    await composed.write(document.start(context));
    return composed;
  }

  get documentHash(): string {
    return this.hash;
  }

  async add(advert: string, item: ExportItem): Promise<void> {
    const { file, context } = this;
    await this.write(this.adverts === 0 ? advert : this.document.separator + advert);
    this.adverts += 1;
    const photos = file.kind === 'zip' ? (file.photos?.(item, context) ?? []) : [];
    for (const photo of photos) this.photos.push({ ...photo, affId: item.listing.affId });
    this.hash = hashOf(this.hash, item.advertId, advert, JSON.stringify(photos));
  }

  /** Ends the document. @returns the path of the file that is sent */
  async finish(savePhoto: SavePhoto, signal: AbortSignal): Promise<string> {
    const { out, file, directory, context } = this;
    await this.write(this.document.end(context));
    await this.flush();
    await out.close();
    const path = join(directory, 'document');
    if (file.kind === 'plain') return path;
    const zipPath = join(directory, 'archive');
    const mtime = new Date(context.publishedAtMs);
    const zip = new ZipFile();
    zip.on('error', (error) => {
      zip.outputStream.emit('error', error);
    });
    zip.addFile(path, file.entry, { mtime });
    for (const [name, text] of Object.entries(file.beside)) zip.addBuffer(this.encoded(text), name, { mtime });
    let at = 0;
    for (const { name, url, affId } of this.photos) {
      const photo = join(directory, `photo-${at}`);
      if (!(await savePhoto(url, photo, signal))) {
        this.missingPhotos.set(affId, (this.missingPhotos.get(affId) ?? 0) + 1);
        continue;
      }
      at += 1;
      zip.addFile(photo, name, { mtime, compress: false });
    }
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(zipPath), { signal });
    return zipPath;
  }

  async remove(): Promise<void> {
    await this.out.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  private encoded(text: string): Buffer {
    const encoding = this.document.encodingIn?.(this.context) ?? this.document.encoding;
    return Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf8');
  }

  private async write(text: string): Promise<void> {
    const bytes = this.encoded(text);
    this.unwritten.push(bytes);
    this.unwrittenBytes += bytes.length;
    if (this.unwrittenBytes >= PIECE_BYTES) await this.flush();
  }

  private async flush(): Promise<void> {
    const piece = Buffer.concat(this.unwritten);
    [this.unwritten, this.unwrittenBytes] = [[], 0];
    await this.out.appendFile(piece);
  }
}
