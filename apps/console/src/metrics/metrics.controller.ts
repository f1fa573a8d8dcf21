import { Controller, Get, Header, Headers, Inject, NotFoundException } from '@nestjs/common';
import { carriesOpsToken } from '@passerelle/domain';
import { ForEverybody } from '../access/operator.guard';
import type { ConsoleConfig } from '../config';
import { CONFIG } from '../tokens';
import { ConsoleMetrics, METRICS_CONTENT_TYPE } from './console-metrics';

/** Metrics for Prometheus, with the operators' token. Without the token the path answers 404. */
@Controller('metrics')
@ForEverybody()
export class MetricsController {
  constructor(
    @Inject(CONFIG) private readonly config: ConsoleConfig,
    private readonly metrics: ConsoleMetrics,
  ) {}

  @Get()
  @Header('content-type', METRICS_CONTENT_TYPE)
  async text(@Headers('authorization') authorization?: string): Promise<string> {
    if (!carriesOpsToken(authorization, this.config.opsToken)) throw new NotFoundException();
    return this.metrics.text();
  }
}
