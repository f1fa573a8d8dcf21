import { Module } from '@nestjs/common';
import { Metrics } from '../metrics/metrics';
import { DumpTurns } from './dump-turns';
import { WholeListSender } from './whole-list';

/** Whole lists as streams, for v0 and for exports. */
@Module({ providers: [DumpTurns, WholeListSender], exports: [WholeListSender] })
export class WholeListModule {
  constructor(metrics: Metrics, turns: DumpTurns) {
    metrics.gauge({
      name: 'passerelle_api_dumps',
      help: 'Dumps of v0 that are under way, and that wait their turn',
      label: 'state',
      figures: () => turns.figures(),
    });
  }
}
