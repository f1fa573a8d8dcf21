import { Injectable } from '@nestjs/common';
import type { RequestedListings, PendingNotifications, Connector } from '@passerelle/connectors';
import { WebhookProcessing, type ClaimedRun, type Gateway, RunRequests } from '@passerelle/database';
import type { RunTrigger } from '@passerelle/domain';
import type { RunReading } from './run-reading';
import type { SnapshotAssembly } from './snapshot-assembly';
import type { Candidate } from './snapshot-comparison';

/** Triggers that read the whole source, even if it reports no change. */
export const FULL_READ_TRIGGERS: ReadonlySet<RunTrigger> = new Set(['ops', 'http', 'retry', 'dry-run']);

export interface NotifiedRun {
  pending: PendingNotifications;
  /** Notes the changes that no webhook reported, unless every listing is read again. */
  noteMissed(candidate: Candidate, assembly: SnapshotAssembly, reading: RunReading): Promise<void>;
  /** Removes answered webhooks, except for `unreadable` listings, which the next run requests again. */
  complete(asked: RequestedListings | undefined, unreadable: ReadonlySet<string>): Promise<void>;
}

@Injectable()
export class NotifiedListings {
  constructor(
    private readonly processing: WebhookProcessing,
    private readonly requests: RunRequests,
  ) {}

  /** Undefined for a source that sends no webhooks. */
  async begin(
    { trigger, dryRun }: Pick<ClaimedRun, 'trigger' | 'dryRun'>,
    { id: gatewayId }: Pick<Gateway, 'id'>,
    { fetch }: Pick<Connector, 'fetch'>,
  ): Promise<NotifiedRun | undefined> {
    if (fetch.kind !== 'pushed') return undefined;
    const { processing, requests } = this;
    const pending = await processing.pending(gatewayId);
    return {
      pending: {
        named: [...pending.named.keys()],
        isEverything: pending.everything > 0 || FULL_READ_TRIGGERS.has(trigger),
        unconfirmed: (before, limit) => processing.unconfirmed(gatewayId, before, limit),
      },
      async noteMissed({ changes }, assembly, reading) {
        // A change counts as reported if its webhook arrived while the source was read.
        const called = (await processing.pending(gatewayId)).named;
        const isCalled = (id: string): boolean => pending.named.has(id) || called.has(id);
        for (const { affId } of changes) {
          if (!isCalled(affId) && !isCalled(assembly.scopeOf(affId))) reading.noteMissedWebhook(affId);
        }
      },
      async complete(asked, unreadable) {
        if (asked === undefined || dryRun) return;
        const found = asked.found.filter((id) => !unreadable.has(id));
        await processing.complete(gatewayId, { pending, ...asked, found, isRemembered: asked.isOneByOne });
        if (asked.isMore) await requests.request({ gatewayId, trigger: 'call' });
      },
    };
  }
}
