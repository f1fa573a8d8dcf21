import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { ReportController } from './report.controller';

@Module({ imports: [AccessModule], controllers: [ReportController] })
export class ReportModule {}
