import { EventEmitter } from 'node:events';
import { Injectable } from '@nestjs/common';

/** Tells who gave a gateway its turn that the gateway's source is slow. */
@Injectable()
export class SlowSources {
  private readonly events = new EventEmitter().setMaxListeners(0);

  /** The source of a gateway under way drips, or does not begin to answer. */
  note(gatewayId: number): void {
    this.events.emit(String(gatewayId));
  }

  /** Calls `onSlow` at most once, until the way back is called. */
  watch(gatewayId: number, onSlow: () => void): () => void {
    this.events.once(String(gatewayId), onSlow);
    return () => {
      this.events.off(String(gatewayId), onSlow);
    };
  }
}
