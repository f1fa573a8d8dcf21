import { Module } from '@nestjs/common';
import { WebhookInbox } from '@passerelle/database';
import { AccessModule } from '../access/access.module';
import { CallsController } from './calls.controller';
import { CallWriter } from './call-writer';

@Module({
  imports: [AccessModule],
  controllers: [CallsController],
  providers: [
    { provide: CallWriter, inject: [WebhookInbox], useFactory: (notes: WebhookInbox) => new CallWriter(notes) },
  ],
})
export class CallsModule {}
