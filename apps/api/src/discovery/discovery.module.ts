import { Module } from '@nestjs/common';
import { DiscoveryController } from './discovery.controller';
import { SecurityController } from './security.controller';

@Module({ controllers: [DiscoveryController, SecurityController] })
export class DiscoveryModule {}
