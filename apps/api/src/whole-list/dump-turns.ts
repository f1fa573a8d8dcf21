import { Injectable } from '@nestjs/common';

const MOST_OF_A_GATEWAY = 3;
const MOST = 16;

interface Waiting {
  gatewayId: number;
  start: () => void;
}

/**
 * Limits the concurrent dumps of one process: each holds up to four pieces for as long as its reader takes. Further
 * dumps wait in a queue.
 */
@Injectable()
export class DumpTurns {
  private readonly underWay: number[] = [];
  private readonly waiting = new Set<Waiting>();

  /** Resolves when a dump may begin, with a function to call at its end; with null when its reader has disconnected meanwhile. */
  async begin(gatewayId: number, reader: AbortSignal): Promise<(() => void) | null> {
    if (reader.aborted) return null;
    if (this.hasRoom(gatewayId)) this.underWay.push(gatewayId);
    else if (!(await this.turn(gatewayId, reader))) return null;
    return () => {
      this.underWay.splice(this.underWay.indexOf(gatewayId), 1);
      this.startNext();
    };
  }

  figures(): { under_way: number; waiting: number } {
    return { under_way: this.underWay.length, waiting: this.waiting.size };
  }

  private hasRoom(gatewayId: number): boolean {
    return this.underWay.length < MOST && this.underWay.filter((id) => id === gatewayId).length < MOST_OF_A_GATEWAY;
  }

  /** @returns false when the reader has disconnected while waiting. */
  private turn(gatewayId: number, reader: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (): void => {
        this.waiting.delete(waiting);
        resolve(false);
      };
      const start = (): void => {
        reader.removeEventListener('abort', leave);
        this.waiting.delete(waiting);
        this.underWay.push(gatewayId);
        resolve(true);
      };
      const waiting = { gatewayId, start };
      this.waiting.add(waiting);
      reader.addEventListener('abort', leave, { once: true });
    });
  }

  /** Starts the dump that has waited longest among those that may begin. */
  private startNext(): void {
    for (const waiting of this.waiting) {
      if (!this.hasRoom(waiting.gatewayId)) continue;
      waiting.start();
      return;
    }
  }
}
