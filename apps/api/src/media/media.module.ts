import { Module } from '@nestjs/common';
import { openMedia } from '@passerelle/media';
import type { ApiConfig } from '../config';
import { CONFIG, MEDIA } from '../tokens';
import { MediaController } from './media.controller';

@Module({
  controllers: [MediaController],
  providers: [{ provide: MEDIA, inject: [CONFIG], useFactory: ({ mediaPlace }: ApiConfig) => openMedia(mediaPlace) }],
})
export class MediaModule {}
