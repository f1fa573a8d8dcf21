import { RETENTION } from '@passerelle/domain';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ListingPhotos } from '@passerelle/database';
import type { Media } from '@passerelle/media';
import type { Logger } from 'pino';
import { LOGGER, MEDIA } from '../tokens';

/** Rare, because pruning lists the whole store. */
const EVERY_SECONDS = 24 * 3600;
const KEEP_MS = RETENTION.photos.days * 24 * 3600 * 1000;

/** Once a day, the ingestor that begins first removes photos that no kept snapshot uses any more. */
@Injectable()
export class PhotoPruning implements OnApplicationShutdown {
  private pruning: Promise<void> = Promise.resolve();

  constructor(
    private readonly photos: ListingPhotos,
    @Inject(MEDIA) private readonly media: Pick<Media, 'prune' | 'close'>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async beginWhenDue(): Promise<void> {
    if (await this.photos.claimPruning(EVERY_SECONDS)) this.pruning = this.prune();
  }

  async onApplicationShutdown(): Promise<void> {
    // Closing the store interrupts the pruning; the next pruning continues.
    this.media.close();
    await this.pruning;
  }

  private async prune(): Promise<void> {
    try {
      const findUsed = (tokens: string[]): Promise<ReadonlySet<string>> => this.photos.findUsed(tokens);
      const { files, bytes } = await this.media.prune({ findUsed, olderThan: new Date(Date.now() - KEEP_MS) });
      if (files > 0) this.log.info({ files, bytes }, 'deleted photos that no listing uses any more');
    } catch (error) {
      this.log.error({ err: error }, 'cannot delete unused photos; trying again tomorrow');
    }
  }
}
