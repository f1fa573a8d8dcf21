import { Injectable } from '@nestjs/common';
import { type ClaimedRun, Gateways, type Gateway, ListingPhotos, Runs, Snapshots } from '@passerelle/database';
import { AccessRefused, inactiveReason, pausedReason } from '@passerelle/domain';
import { CurrentVersions } from './current-versions';
import { ListProtection } from './list-protection';
import { PhotoIntakes } from './photo-intake';
import { findOutdated } from './photo-rows';
import type { RevertCheck } from './revert-check';
import { dryRunOutcome, type RunOutcome, publishingOutcome } from './run-outcome';
import type { KeepingRule } from './unreadable-records';

/** The gateway was disabled or paused, or its contract ended, after the run was requested. */
export class GatewayInactive extends Error {}

/** The listings can only be mapped again by a run that reads the source. The message is a sentence for an operator. */
export class RemapRefused extends Error {}

export interface PreparedRun {
  gateway: Gateway;
  /** The current snapshot; empty for a first run. It is loaded when the feed is compared with it. */
  current: CurrentVersions;
  outcome: RunOutcome;
  keeping: KeepingRule;
  revert: RevertCheck;
}

@Injectable()
export class RunPreparation {
  constructor(
    private readonly gateways: Gateways,
    private readonly snapshots: Snapshots,
    private readonly photos: ListingPhotos,
    private readonly intakes: PhotoIntakes,
    private readonly runs: Runs,
    private readonly protection: ListProtection,
  ) {}

  /** @throws AccessRefused when the gateway was removed; GatewayInactive when the gateway must not run. */
  async prepare(run: ClaimedRun): Promise<PreparedRun> {
    const gateway = await this.loadActiveGateway(run);
    const keeping = await this.protection.keepingOf(gateway);
    const revert = await this.protection.revertCheckOf(gateway);
    return {
      gateway,
      current: this.currentVersionsOf(gateway),
      outcome: this.outcomeOf(run, gateway),
      keeping,
      revert,
    };
  }

  private async loadActiveGateway({ gatewayId, dryRun }: ClaimedRun): Promise<Gateway> {
    const gateway = await this.gateways.loadForIngest(gatewayId);
    if (gateway === null) throw new AccessRefused('the gateway was removed');
    // A pause does not stop a dry run, which publishes nothing, and shows whether the source works again.
    const inactive = inactiveReason(gateway, new Date()) ?? (dryRun ? null : pausedReason(gateway.paused));
    if (inactive !== null) throw new GatewayInactive(`the gateway does not run: ${inactive}`);
    return gateway;
  }

  private currentVersionsOf({ id, currentSnapshotId }: Gateway): CurrentVersions {
    if (currentSnapshotId === null) return new CurrentVersions();
    return new CurrentVersions(
      (take) => this.snapshots.readVersions({ gatewayId: id, id: currentSnapshotId }, take),
      (files) =>
        findOutdated(
          () => this.photos.ofCurrent(id),
          files,
          (stored) => this.intakes.isLost(stored),
        ),
      (versionIds) => this.snapshots.readTexts(id, versionIds),
    );
  }

  private outcomeOf(run: ClaimedRun, gateway: Gateway): RunOutcome {
    const { runs, snapshots } = this;
    return run.dryRun ? dryRunOutcome(run, gateway, { runs }) : publishingOutcome(run, gateway, { runs, snapshots });
  }
}
