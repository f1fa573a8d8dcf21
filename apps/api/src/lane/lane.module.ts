import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PropertiesModule } from '../properties/properties.module';
import { Lane } from './lane';

@Module({ imports: [AccessModule, PropertiesModule], providers: [Lane] })
export class LaneModule {}
