import { Inject, Injectable } from '@nestjs/common';
import { type Gateway, KeptListings, RevertGuards } from '@passerelle/database';
import { RUNNER_OPTIONS } from '../tokens';
import { RevertCheck } from './revert-check';
import type { RunnerOptions } from './run-settings';
import type { Candidate } from './snapshot-comparison';
import type { KeepingRule } from './unreadable-records';

/** Rules that protect the list of a gateway: which listings outlive their records, and which changes would undo a revert. */
@Injectable()
export class ListProtection {
  constructor(
    private readonly kept: KeptListings,
    private readonly guards: RevertGuards,
    @Inject(RUNNER_OPTIONS) private readonly options: Pick<RunnerOptions, 'keepUnreadableHours'>,
  ) {}

  async revertCheckOf({ id, isGuarded }: Pick<Gateway, 'id' | 'isGuarded'>): Promise<RevertCheck> {
    return new RevertCheck(isGuarded ? await this.guards.listings(id) : []);
  }

  async keepingOf({ id, hasKept }: Pick<Gateway, 'id' | 'hasKept'>): Promise<KeepingRule> {
    const { keepUnreadableHours: hours } = this.options;
    const marks = hasKept ? await this.kept.find(id, hours) : [];
    return { isOn: hours > 0, marks: new Map(marks.map((mark) => [mark.affId, mark])) };
  }
}

/** The listings to store as kept; undefined if none are kept, now or before. */
export function keptToStore({ hasKept }: Gateway, { kept }: Candidate): readonly string[] | undefined {
  return hasKept || kept.length > 0 ? kept : undefined;
}
