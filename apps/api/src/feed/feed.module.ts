import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { FeedController } from './feed.controller';

@Module({ imports: [AccessModule], controllers: [FeedController] })
export class FeedModule {}
