import { SpoolBudget } from '@passerelle/connectors';
import { parseConfig } from '../config';
import { outboundPolicy, runnerOptions } from './run-settings';

it('runnerOptions allow a run at least twice the time limit of a fetch', () => {
  const config = parseConfig({ DATABASE_URL: 'postgres://localhost/passerelle' });
  const { timeoutMs, detailsMs } = outboundPolicy(config, new SpoolBudget({ folder: undefined, diskBytes: 1 }));
  expect(2 * timeoutMs).toBeLessThanOrEqual(runnerOptions(config).runTimeoutMs);
  // Requests for single listings use a share of the same time limit.
  expect(detailsMs).toBeUndefined();
});
