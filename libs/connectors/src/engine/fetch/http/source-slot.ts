import type { OutboundPolicy } from '../../contracts';

/**
 * A request's slot at a source that limits simultaneous requests, held until the answer is there. A redirected request
 * still holds one slot.
 */
export class SourceSlot {
  private leave: (() => void) | undefined;

  constructor(
    private readonly policy: Pick<OutboundPolicy, 'admit'>,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Takes a slot at the host instead of the previous slot. @throws FeedError when no request may be sent for a longer
   * time.
   */
  async to(host: string): Promise<void> {
    this.end();
    this.leave = await this.policy.admit?.(host, this.signal);
  }

  end(): void {
    this.leave?.();
    this.leave = undefined;
  }
}
