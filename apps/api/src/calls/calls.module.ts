import { Module } from '@nestjs/common';
import { CallNotes } from '@passerelle/database';
import { AccessModule } from '../access/access.module';
import { CallsController } from './calls.controller';
import { NotedCalls } from './noted-calls';

@Module({
  imports: [AccessModule],
  controllers: [CallsController],
  providers: [{ provide: NotedCalls, inject: [CallNotes], useFactory: (notes: CallNotes) => new NotedCalls(notes) }],
})
export class CallsModule {}
