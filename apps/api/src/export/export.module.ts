import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PropertiesModule } from '../properties/properties.module';
import { FullExportModule } from '../full-export/full-export.module';
import { DocumentController } from './document.controller';
import { ExportController } from './export.controller';

@Module({
  imports: [AccessModule, PropertiesModule, FullExportModule],
  controllers: [ExportController, DocumentController],
})
export class ExportModule {}
