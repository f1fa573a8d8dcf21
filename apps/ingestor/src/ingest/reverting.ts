import { Inject, Injectable } from '@nestjs/common';
import { type ClaimedRun, Gateways, Reverts, Snapshots } from '@passerelle/database';
import { inactiveReason } from '@passerelle/domain';
import type { Logger } from 'pino';
import { LOGGER } from '../tokens';
import type { RunResult } from './run-outcome';
import { GatewayInactive } from './run-preparation';

/** Executes the runs with which operators go back to a kept snapshot. They read no source. */
@Injectable()
export class Reverting {
  constructor(
    private readonly gateways: Gateways,
    private readonly reverts: Reverts,
    private readonly snapshots: Snapshots,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * Also sets the guard. A pause does not prevent a revert, because a revert requests nothing from the source.
   * @throws RevertRefused when the snapshot is no longer kept, or is the current one
   * @throws GatewayInactive, PublishRefused, RunCancelled
   */
  async carryOut(run: ClaimedRun, signal: AbortSignal): Promise<RunResult> {
    const { id: runId, gatewayId, fence, revertReason } = run;
    const revertTo = run.revertTo ?? '';
    const gateway = await this.gateways.loadForIngest(gatewayId);
    const inactive = gateway === null ? 'it was removed' : inactiveReason(gateway, new Date());
    if (inactive !== null) throw new GatewayInactive(`the gateway does not run: ${inactive}`);
    const reverted = await this.reverts.build({ id: runId, gatewayId, revertTo });
    const { snapshotId, baseSnapshotId, figures } = reverted;
    const reason = `an operator went back to the snapshot ${revertTo}: ${revertReason ?? ''}`;
    try {
      signal.throwIfAborted();
      await this.snapshots.announce(gatewayId);
      await this.snapshots.publish({
        ...{ runId, gatewayId, fence, snapshotId, baseSnapshotId, figures, feedMemory: {} },
        ...{ isRevert: true, overruled: { reasonCode: 'revert', reason, verdict: null } },
      });
    } catch (error) {
      await reverted.abandon().catch((left: unknown) => {
        this.log.warn({ err: left, run: runId }, 'cannot remove an unpublished snapshot: the next run removes it');
      });
      throw error;
    }
    return { state: 'published', figures, reasonCode: null, reason };
  }
}
