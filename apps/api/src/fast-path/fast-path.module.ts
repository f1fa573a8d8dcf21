import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module';
import { PropertiesModule } from '../properties/properties.module';
import { FastPath } from './fast-path';

@Module({ imports: [AccessModule, PropertiesModule], providers: [FastPath] })
export class FastPathModule {}
