import type { OutboundPolicy } from '../../contracts';

/** A request's slot at a source that limits simultaneous requests. A redirected request also holds only one slot. */
export class SourceSlot {
  private leave: (() => void) | undefined;

  constructor(
    private readonly policy: Pick<OutboundPolicy, 'admit'>,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Releases the slot and waits for a slot at `host`. @throws FeedError when no request may be sent for a long time.
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
