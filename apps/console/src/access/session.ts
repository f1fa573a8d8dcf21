import type { Operator } from '@passerelle/database';
import type { FastifyRequest } from 'fastify';
import { LIVE_HEADER } from '../layout/live';

/** A session ends after this time without a request. */
const IDLE_SECONDS = 30 * 60;
export const LONGEST_SESSION_SECONDS = 12 * 3600;
/** The cookie is rewritten at most this often. */
const NOTE_EVERY_SECONDS = 60;

declare module '@fastify/secure-session' {
  interface SessionData {
    /** The operator's name. */
    operator: string;
    /** The operator's session number at the sign-in. */
    epoch: number;
    /** Seconds since 1970 of the last use. */
    usedAt: number;
    /** Whether the identity provider gives the role. */
    isProvided: boolean;
  }
}

/** Drops everything of the previous session, also the token against forged requests. */
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

/** The operator and the session number of a request; null without a session, or after too long without use. */
export function openSession({ session, headers }: FastifyRequest, now: Date): OpenSession | null {
  const [name, epoch, usedAt] = [session.get('operator'), session.get('epoch'), session.get('usedAt')];
  if (name === undefined || epoch === undefined || usedAt === undefined) return null;
  const idle = seconds(now) - usedAt;
  if (idle >= IDLE_SECONDS) return null;
  // A page that refreshes itself does not count as use.
  const isUsed = headers[LIVE_HEADER] === undefined;
  if (isUsed && idle >= NOTE_EVERY_SECONDS) session.set('usedAt', seconds(now));
  return { name, epoch, isProvided: session.get('isProvided') === true };
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
