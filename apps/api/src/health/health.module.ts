import { Controller, Get, Header, Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { CACHE_NEVER } from '../http/response-headers';
import { Metrics, METRICS_CONTENT_TYPE, METRICS_PATH } from '../metrics/metrics';

/** The server lets only operators through (`isOperator`). The metrics contain no client and no address. */
@Controller(METRICS_PATH)
class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', METRICS_CONTENT_TYPE)
  @Header('cache-control', CACHE_NEVER)
  async text(): Promise<string> {
    return this.metrics.text();
  }
}

@Module({ controllers: [HealthController, MetricsController] })
export class HealthModule {}
