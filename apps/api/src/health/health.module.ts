import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { MetricsController } from './metrics.controller';

/** What the process says of itself. */
@Module({ controllers: [HealthController, MetricsController] })
export class HealthModule {}
