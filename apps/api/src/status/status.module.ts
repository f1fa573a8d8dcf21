import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { StatusController } from './status.controller';

@Module({ imports: [AccessModule], controllers: [StatusController] })
export class StatusModule {}
