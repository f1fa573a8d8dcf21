import { Controller, Get, Header } from '@nestjs/common';
import { Metrics, METRICS_CONTENT_TYPE } from './prometheus';

/** What Prometheus scrapes. Counts by connector only: no client, address or listing is named here. */
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
