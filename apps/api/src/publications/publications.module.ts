import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PublicationsController } from './publications.controller';

@Module({ imports: [AccessModule], controllers: [PublicationsController] })
export class PublicationsModule {}
