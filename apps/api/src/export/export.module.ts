import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PropertiesModule } from '../properties/properties.module';
import { WholeListModule } from '../whole-list/whole-list.module';
import { ExportController } from './export.controller';

@Module({ imports: [AccessModule, PropertiesModule, WholeListModule], controllers: [ExportController] })
export class ExportModule {}
