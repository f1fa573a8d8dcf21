import { Inject, Injectable } from '@nestjs/common';
import { type IngestGateway, KeptListings } from '@passerelle/database';
import { RUNNER_OPTIONS } from '../tokens';
import type { RunnerOptions } from './run-settings';
import type { Candidate } from './snapshot-comparison';
import type { KeepingRule } from './unreadable-records';

/** For how long the listings of gateways outlive their records, when these cannot be read. */
@Injectable()
export class ListingKeeping {
  constructor(
    private readonly kept: KeptListings,
    @Inject(RUNNER_OPTIONS) private readonly options: Pick<RunnerOptions, 'keepUnreadableHours'>,
  ) {}

  async ruleOf({ id, hasKept }: Pick<IngestGateway, 'id' | 'hasKept'>): Promise<KeepingRule> {
    const { keepUnreadableHours: hours } = this.options;
    const marks = hasKept ? await this.kept.find(id, hours) : [];
    return { isOn: hours > 0, marks: new Map(marks.map((mark) => [mark.affId, mark])) };
  }
}

/** What a run has to store of the listings that it keeps; undefined when none are kept, and none were. */
export function keptToStore({ hasKept }: IngestGateway, { kept }: Candidate): readonly string[] | undefined {
  return hasKept || kept.length > 0 ? kept : undefined;
}
