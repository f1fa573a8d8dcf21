import { Injectable } from '@nestjs/common';
import { WaitQueue } from '@passerelle/domain';

const MAX_PER_GATEWAY = 3;
const MAX_EXPORTS = 16;

/** Limits concurrent exports: further exports wait. Each export holds up to four chunks until its end. */
@Injectable()
export class ExportLimiter {
  /** The gateway id of each running export. */
  private readonly underWay: number[] = [];
  private readonly queue = new WaitQueue();

  /** Resolves with a function to call at the export's end; null if its reader has disconnected. */
  async begin(gatewayId: number, reader: AbortSignal): Promise<(() => void) | null> {
    if (reader.aborted) return null;
    try {
      await this.queue.wait(() => this.take(gatewayId), reader);
    } catch {
      // The reader has disconnected.
      return null;
    }
    return () => {
      this.underWay.splice(this.underWay.indexOf(gatewayId), 1);
      this.queue.wake();
    };
  }

  figures(): { under_way: number; waiting: number } {
    return { under_way: this.underWay.length, waiting: this.queue.size };
  }

  private take(gatewayId: number): boolean {
    const ofGateway = this.underWay.filter((id) => id === gatewayId).length;
    if (this.underWay.length >= MAX_EXPORTS || ofGateway >= MAX_PER_GATEWAY) return false;
    this.underWay.push(gatewayId);
    return true;
  }
}
