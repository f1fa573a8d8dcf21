import { FtpServer } from '../../medium/transport/ftp-server';

/** A fault of one upload: its bytes are cut off, some are lost, or the answer to the renaming is lost. */
export type UploadFault = 'cut' | 'short' | 'no answer' | null;

/** A portal that reads files from an FTP server, and removes adverts that the last one does not contain. */
export class FilePortal {
  present = new Map<string, string>();
  /** Asked once for each upload. */
  fault: () => UploadFault = () => null;
  onRemove: (advertId: string) => void = () => undefined;
  private current: UploadFault = null;
  private readonly ftp = new FtpServer({
    cutAfter: () => {
      this.current = this.fault();
      this.ftp.options.mostReceived = this.current === 'short' ? 40 : Infinity;
      return this.current === 'cut' ? 40 : undefined;
    },
    onRenamed: (bytes) => {
      this.take(bytes.toString());
      return this.current === 'no answer';
    },
  });

  get url(): string {
    return `ftp://agence:p%40ss@${this.hostAndPort}/in`;
  }

  get hostAndPort(): string {
    return `127.0.0.1:${this.ftp.port}`;
  }

  async open(): Promise<this> {
    await this.ftp.listen();
    return this;
  }

  close(): Promise<void> {
    return this.ftp.close();
  }

  /** The portal reads every file that has its final name, also an incomplete one. */
  private take(text: string): void {
    const adverts = [...text.matchAll(/<advert id="([^"]+)">.*<\/advert>/g)].map(
      ([advert, id = '']): [string, string] => [id, advert],
    );
    const next = new Map(adverts);
    for (const [id] of this.present) if (!next.has(id)) this.onRemove(id);
    this.present = next;
  }
}
