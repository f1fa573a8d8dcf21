import type { OutboundPolicy } from '../../contracts';

/** A request's slot at a source that limits simultaneous requests; a redirected request still holds one slot. */
export class SourceSlot {
  private leave: (() => void) | undefined;

  constructor(
    private readonly policy: Pick<OutboundPolicy, 'admit'>,
    private readonly signal: AbortSignal,
  ) {}

  /** Replaces the slot by one at the host. @throws FeedError when no request may be sent for a longer time. */
  async to(host: string): Promise<void> {
    this.end();
    this.leave = await this.policy.admit?.(host, this.signal);
  }

  end(): void {
    this.leave?.();
    this.leave = undefined;
  }
}
