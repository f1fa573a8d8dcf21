import type { OutboundPolicy } from '../../contracts';

/** The place of a request among those that a source answers at once, until its answer is there. It has one at a time, however it is redirected. */
export class SourcePlace {
  private leave: (() => void) | undefined;

  constructor(
    private readonly policy: Pick<OutboundPolicy, 'admit'>,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws FeedError when no request may be sent for a longer time. */
  async to(host: string): Promise<void> {
    this.end();
    this.leave = await this.policy.admit?.(host, this.signal);
  }

  end(): void {
    this.leave?.();
    this.leave = undefined;
  }
}
