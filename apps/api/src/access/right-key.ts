import type { ServedKey } from '@passerelle/database';
import { isInScope, type KeyUse } from '@passerelle/domain';
import { Networks } from '@passerelle/limits';

/** What a request does with its key, and where it comes from. */
export interface KeyRequest {
  use: KeyUse;
  /** Undefined once its sender has gone. */
  address: string | undefined;
}

/** A stored key that a presented one was found to be. */
export class RightKey {
  /** `Infinity` for one without an end. */
  readonly endsAtMs: number;
  private readonly networks: Networks | null;

  constructor(readonly stored: ServedKey) {
    this.endsAtMs = stored.expiresAtMs ?? Infinity;
    this.networks = stored.networks === null ? null : new Networks(stored.networks);
  }

  /** Whether it is right for this request. One that is not looks like a wrong one. */
  opens({ use, address }: KeyRequest, nowMs: number): boolean {
    return nowMs < this.endsAtMs && isInScope(this.stored, use) && (this.networks?.has(address) ?? true);
  }
}
