import { Injectable } from '@nestjs/common';
import type { AskedListings, CallsToAnswer, Connector } from '@passerelle/connectors';
import { CallAnswers, type ClaimedRun, type IngestGateway, RunRequests } from '@passerelle/database';
import type { RunTrigger } from '@passerelle/domain';
import type { RunReading } from './run-reading';
import type { SnapshotAssembly } from './snapshot-assembly';
import type { Candidate } from './snapshot-comparison';

/** Triggers that read the whole source, even if it reports no change. */
export const LOOKS_AT_EVERYTHING: ReadonlySet<RunTrigger> = new Set(['ops', 'http', 'retry', 'dry-run']);

/** The calls that one run has to answer, and their result. */
export interface CalledRun {
  toAnswer: CallsToAnswer;
  /** Notes the changes that no call reported, unless every listing is read again. */
  noteMissed(candidate: Candidate, assembly: SnapshotAssembly, reading: RunReading): Promise<void>;
  /**
   * Removes the calls that a run has answered, after it published or found nothing new.
   *
   * @param unreadable identifiers of listings and scopes whose answers cannot be read: the next run requests them again
   */
  settle(asked: AskedListings | undefined, unreadable: ReadonlySet<string>): Promise<void>;
}

/** The calls of CRMs, for runs. */
@Injectable()
export class CalledListings {
  constructor(
    private readonly answers: CallAnswers,
    private readonly requests: RunRequests,
  ) {}

  /** Undefined for a source that does not call. */
  async begin(
    { trigger, dryRun }: Pick<ClaimedRun, 'trigger' | 'dryRun'>,
    { id: gatewayId }: Pick<IngestGateway, 'id'>,
    { fetch }: Pick<Connector, 'fetch'>,
  ): Promise<CalledRun | undefined> {
    if (fetch.kind !== 'pushed') return undefined;
    const { answers, requests } = this;
    const noted = await answers.noted(gatewayId);
    return {
      toAnswer: {
        named: [...noted.named.keys()],
        isEverything: noted.everything > 0 || LOOKS_AT_EVERYTHING.has(trigger),
        unconfirmed: (before, limit) => answers.unconfirmed(gatewayId, before, limit),
      },
      async noteMissed({ changes }, assembly, reading) {
        // A call that arrived while the source was read was not missed.
        const called = (await answers.noted(gatewayId)).named;
        const isCalled = (id: string): boolean => noted.named.has(id) || called.has(id);
        for (const { affId } of changes) {
          if (!isCalled(affId) && !isCalled(assembly.scopeOf(affId))) reading.noteMissedCall(affId);
        }
      },
      async settle(asked, unreadable) {
        if (asked === undefined || dryRun) return;
        const found = asked.found.filter((id) => !unreadable.has(id));
        await answers.settle(gatewayId, { noted, ...asked, found, isRemembered: asked.isOneByOne });
        if (asked.isMore) await requests.request({ gatewayId, trigger: 'call' });
      },
    };
  }
}
