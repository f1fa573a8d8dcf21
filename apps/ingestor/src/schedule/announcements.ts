import type { RunTrigger } from '@passerelle/domain';

export interface WaitingGateway {
  gatewayId: number;
  trigger: RunTrigger;
  /** Its place among the waiting gateways of its connector. */
  turn: number;
}

/**
 * Remembers at which turn this process has put each waiting gateway on the queue. A job keeps its place on the queue:
 * while the queue never empties, gateways that are due again and again would overtake one that was once put far behind.
 * So a gateway whose turn has come much closer is moved forward.
 */
export class Announcements {
  private turns = new Map<number, number>();

  /** Says of each waiting gateway whether to move it forward. Forgets the gateways that wait no longer. */
  next(waiting: readonly WaitingGateway[]): (WaitingGateway & { isMoved: boolean })[] {
    const turns = new Map<number, number>();
    const announced = waiting.map((gateway) => {
      const { gatewayId, turn } = gateway;
      const before = this.turns.get(gatewayId) ?? turn;
      const isMoved = turn <= before / 2;
      turns.set(gatewayId, isMoved ? turn : before);
      return { ...gateway, isMoved };
    });
    this.turns = turns;
    return announced;
  }
}
