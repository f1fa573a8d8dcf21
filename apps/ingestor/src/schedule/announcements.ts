import type { WaitingRun } from '@passerelle/database';

/** What to tell the queue. */
export interface News {
  /** Gateways to put on the queue. */
  added: WaitingRun[];
  /** Gateways that are on the queue, and get an earlier place. */
  moved: WaitingRun[];
}

/** A gateway as this process has put it on the queue. */
interface Announced {
  runId: number;
  turn: number;
  atMs: number;
  /** When it is put there again, after that. */
  pauseMs: number;
}

/**
 * A run that still waits is put on the queue again after this time, and then after twice the time and so on: the queue may
 * have lost everything, and it takes no job of a gateway whose last one is just ending.
 */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 16_000;

/**
 * Remembers which waiting gateways this process has put on the queue, and at which turn: with thousands that wait, telling
 * the queue of each at every tick costs more than their runs. A job keeps its place on the queue: while the queue never
 * empties, gateways that are due again and again would overtake one that was once put far behind. So a gateway whose turn
 * has come much closer is moved forward.
 */
export class Announcements {
  private announced = new Map<number, Announced>();

  /** What is new among the gateways that wait. Forgets the gateways that wait no longer. */
  next(waiting: readonly WaitingRun[], nowMs: number): News {
    const news: News = { added: [], moved: [] };
    const announced = new Map<number, Announced>();
    for (const gateway of waiting) {
      const { gatewayId, runId, turn } = gateway;
      const before = this.announced.get(gatewayId);
      if (before?.runId !== runId) {
        news.added.push(gateway);
        announced.set(gatewayId, { runId, turn, atMs: nowMs, pauseMs: FIRST_PAUSE_MS });
        continue;
      }
      const isMoved = turn <= before.turn / 2;
      if (isMoved) news.moved.push(gateway);
      const isAgain = nowMs - before.atMs >= before.pauseMs;
      if (isAgain) news.added.push(gateway);
      const time = isAgain ? { atMs: nowMs, pauseMs: Math.min(before.pauseMs * 2, LONGEST_PAUSE_MS) } : {};
      announced.set(gatewayId, { ...before, ...time, turn: isMoved ? turn : before.turn });
    }
    this.announced = announced;
    return news;
  }

  /** The queue did not answer: everything is new. */
  forget(): void {
    this.announced.clear();
  }
}
