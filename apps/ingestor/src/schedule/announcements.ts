import type { RunTrigger } from '@passerelle/domain';

export interface WaitingGateway {
  gatewayId: number;
  trigger: RunTrigger;
  /** Its place among the waiting gateways of its connector. */
  turn: number;
}

/**
 * Remembers at which turn this process has put waiting gateways on the queue. A job keeps the place that it was given:
 * while the queue never empties, gateways that are due again and again would overtake one that was put far behind once.
 * So whoever has come much closer to the front of those who wait is given that place.
 */
export class Announcements {
  private turns = new Map<number, number>();

  /** Says of each gateway that waits whether it is to be moved forward; those that wait no longer are forgotten. */
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
