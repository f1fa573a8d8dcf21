import { Module } from '@nestjs/common';
import { WebhookInbox } from '@passerelle/database';
import { AccessModule } from '../access/access.module';
import { InboundWebhooksController } from './inbound-webhooks.controller';
import { WebhookWriter } from './webhook-writer';

@Module({
  imports: [AccessModule],
  controllers: [InboundWebhooksController],
  providers: [
    { provide: WebhookWriter, inject: [WebhookInbox], useFactory: (inbox: WebhookInbox) => new WebhookWriter(inbox) },
  ],
})
export class InboundWebhooksModule {}
