import type { Operator } from '@passerelle/database';
import type { FastifyRequest } from 'fastify';
import { LIVE_HEADER } from '../layout/live';

/** Without a request for so long, a session has ended. */
const IDLE_SECONDS = 30 * 60;
/** However much it is used. */
export const LONGEST_SESSION_SECONDS = 12 * 3600;
/** The cookie is not written anew with every request. */
const NOTE_EVERY_SECONDS = 60;

declare module '@fastify/secure-session' {
  interface SessionData {
    /** Who signed in. */
    operator: string;
    /** The number that the operator's sessions had then. */
    epoch: number;
    /** Seconds since 1970: when it was used last. */
    usedAt: number;
    /** Whether it began at the provider of identities, which gives the role. */
    isProvided: boolean;
  }
}

/** Begins a session of an operator: nothing of the one before stays, also not its token against forged requests. */
export function beginSession(
  request: FastifyRequest,
  { name, sessionEpoch }: Operator,
  now: Date,
  isProvided = false,
): void {
  request.session.regenerate();
  request.session.set('operator', name);
  request.session.set('epoch', sessionEpoch);
  request.session.set('usedAt', seconds(now));
  request.session.set('isProvided', isProvided);
}

export interface OpenSession {
  name: string;
  epoch: number;
  isProvided: boolean;
}

/** Whose session a request has, and of which number; null for none, or one that was not used for too long. */
export function openSession({ session, headers }: FastifyRequest, now: Date): OpenSession | null {
  const [name, epoch, usedAt] = [session.get('operator'), session.get('epoch'), session.get('usedAt')];
  if (name === undefined || epoch === undefined || usedAt === undefined) return null;
  const idle = seconds(now) - usedAt;
  if (idle >= IDLE_SECONDS) return null;
  // A page that refreshes itself is not used by anybody.
  const isUsed = headers[LIVE_HEADER] === undefined;
  if (isUsed && idle >= NOTE_EVERY_SECONDS) session.set('usedAt', seconds(now));
  return { name, epoch, isProvided: session.get('isProvided') === true };
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
