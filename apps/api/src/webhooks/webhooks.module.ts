import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { WebhooksController } from './webhooks.controller';

@Module({ imports: [AccessModule], controllers: [WebhooksController] })
export class WebhooksModule {}
