import { Module } from '@nestjs/common';
import { Metrics } from '../metrics/metrics';
import { ExportLimiter } from './export-limiter';
import { FullExportSender } from './full-export';

@Module({ providers: [ExportLimiter, FullExportSender], exports: [FullExportSender] })
export class FullExportModule {
  constructor(metrics: Metrics, limiter: ExportLimiter) {
    metrics.gauge({
      name: 'passerelle_api_dumps',
      help: 'v0 dumps that are under way, and v0 dumps that wait',
      label: 'state',
      figures: () => limiter.figures(),
    });
  }
}
