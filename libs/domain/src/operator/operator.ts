import { createHash, randomBytes } from 'node:crypto';

/** Roles of operators; each role includes the rights of the previous roles. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export function isRoleEnough(role: OperatorRole, needed: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Whether a text is a valid operator name. Names appear in logs, in the audit and with runs. */
export function isOperatorName(text: string): boolean {
  return NAME.test(text);
}

export const AUDIT_WAYS = ['console', 'ops', 'http'] as const;
export type AuditWay = (typeof AUDIT_WAYS)[number];

export const AUDIT_ACTS = [
  'gateway add',
  'gateway set',
  'gateway enable',
  'gateway disable',
  'gateway rotate-key',
  'gateway revoke-key',
  'gateway export-token make',
  'gateway export-token revoke',
  'gateway export',
  'gateway import',
  'gateway remove',
  'gateway revert',
  'gateway release',
  'gateway note',
  'pause',
  'resume',
  'webhook add',
  'webhook remove',
  'webhook rotate',
  'notify channel add',
  'notify channel remove',
  'notify rule add',
  'notify rule remove',
  'placement add',
  'placement set',
  'placement pause',
  'placement resume',
  'placement approve',
  'placement remove',
  'publication retry',
  'publication withdraw',
  'call-address open',
  'call-address close',
  'ingest',
  'retry',
  'run publish',
  'run discard',
  'run cancel',
  'rekey',
  'backup',
  'backup failed',
  'restore',
  'operator add',
  'operator enable',
  'operator disable',
  'operator passwd',
  'operator role',
  'operator remove',
  'operator link',
  'view save',
  'view remove',
] as const;
export type AuditAct = (typeof AUDIT_ACTS)[number];

/** Values by name; never a secret. */
export type AuditValues = Readonly<Record<string, string | number | boolean | null>>;

export interface AuditEntry {
  who: string;
  through: AuditWay;
  act: AuditAct;
  /** The gateway's name, when the change concerns one; the record outlives the gateway. */
  crm?: string;
  client?: string;
  runId?: number;
  before?: AuditValues;
  after?: AuditValues;
  reason?: string;
  /** The entry of the act on many gateways that this one belongs to. */
  partOf?: number;
}

/** A one-time token of a sign-in link: 32 random bytes as base64url. Only its digest is stored. */
export function generateSignInToken(): string {
  return randomBytes(32).toString('base64url');
}

export function signInTokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
