import { Controller, Get, Header } from '@nestjs/common';
import { CACHE_NEVER } from '../http/response-headers';
import { Metrics, METRICS_CONTENT_TYPE, METRICS_PATH } from '../metrics/metrics';

/** The server lets only operators through (`isOperator`). The metrics contain no client and no address. */
@Controller(METRICS_PATH)
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('content-type', METRICS_CONTENT_TYPE)
  @Header('cache-control', CACHE_NEVER)
  async text(): Promise<string> {
    return this.metrics.text();
  }
}
