import { Controller, Get, Header } from '@nestjs/common';
import { Metrics, METRICS_CONTENT_TYPE } from './prometheus';

/** The endpoint for Prometheus. The metrics count by connector, and contain no client, address or listing. */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', METRICS_CONTENT_TYPE)
  @Header('cache-control', 'no-store')
  async text(): Promise<string> {
    return this.metrics.text();
  }
}
