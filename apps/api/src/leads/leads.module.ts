import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { LeadsController } from './leads.controller';

@Module({ imports: [AccessModule], controllers: [LeadsController] })
export class LeadsModule {}
