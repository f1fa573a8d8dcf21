import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PropertiesModule } from '../properties/properties.module';
import { ChangePages } from './changes';
import { Manifests } from './manifests';
import { SyncController } from './sync.controller';

@Module({
  imports: [AccessModule, PropertiesModule],
  controllers: [SyncController],
  providers: [ChangePages, Manifests],
})
export class SyncModule {}
