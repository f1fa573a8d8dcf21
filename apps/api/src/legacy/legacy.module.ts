import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PropertiesModule } from '../properties/properties.module';
import { FullExportModule } from '../full-export/full-export.module';
import { LegacyController } from './legacy.controller';

@Module({ imports: [AccessModule, PropertiesModule, FullExportModule], controllers: [LegacyController] })
export class LegacyModule {}
