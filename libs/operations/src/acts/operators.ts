import type { Database, Operator } from '@passerelle/database';
import {
  generatePassword,
  generateSignInToken,
  hashPassword,
  isOperatorName,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type OperatorRole,
  signInTokenDigest,
} from '@passerelle/domain';
import { Refused } from '../refused';
import type { Actor } from './gateways';

type Repositories = Pick<Database, 'operators' | 'audit'>;

/** @returns the password, which is not stored in clear text. @throws Refused for an invalid or taken name. */
export async function addOperator(
  repositories: Repositories,
  actor: Actor,
  name: string,
  role: OperatorRole,
): Promise<string> {
  if (!isOperatorName(name)) {
    throw new Refused(`"${name.slice(0, 64)}" is not a valid name: at most 64 letters, digits, ".", "_", "@" and "-"`);
  }
  const password = generatePassword();
  if (!(await repositories.operators.add(name, role, await hashPassword(password)))) {
    throw new Refused(`there is an operator ${name} already`);
  }
  await record(repositories, actor, 'operator add', { operator: name, role });
  return password;
}

export interface Admitted {
  /** The permanent identity: the provider, and the provider's identifier for the operator. */
  subject: string;
  /** Candidates in order of preference: the first one that is valid and not taken is used. */
  names: readonly string[];
  role: OperatorRole;
}

/** An identity never gets the name of an existing operator. @throws Refused when every name is invalid or taken. */
export async function admitOperator(repositories: Repositories, { subject, names, role }: Admitted): Promise<Operator> {
  const known = await repositories.operators.findSubject(subject);
  if (known !== null) {
    return applyProviderRole(repositories, known, role);
  }
  for (const name of names.filter(isOperatorName)) {
    if (await repositories.operators.addSubject(name, role, subject)) {
      await record(repositories, { name, through: 'console' }, 'operator add', { operator: name, role });
      break;
    }
  }
  const added = await repositories.operators.findSubject(subject);
  if (added === null)
    throw new Refused(`${names[0] ?? 'the name'} is not a valid name, or belongs to another operator`);
  return added;
}

export async function applyProviderRole(
  repositories: Repositories,
  operator: Operator,
  role: OperatorRole,
): Promise<Operator> {
  const { name } = operator;
  if (operator.role === role) return operator;
  await repositories.operators.setRole(name, role);
  await record(repositories, { name, through: 'console' }, 'operator role', { operator: name, role });
  return { ...operator, role };
}

/** The role applies to the operator's next request. @throws Refused for an unknown operator, and for the actor's own role in the console */
export async function setRole(
  repositories: Repositories,
  actor: Actor,
  name: string,
  role: OperatorRole,
): Promise<void> {
  const operator = await repositories.operators.find(name);
  if (operator === null) throw nobody(name);
  if (actor.through === 'console' && actor.name === name) throw new Refused('operators cannot change their own role');
  if (operator.role === role) return;
  await repositories.operators.setRole(name, role);
  const { name: who, through } = actor;
  const [before, after] = [
    { operator: name, role: operator.role },
    { operator: name, role },
  ];
  await repositories.audit.record([{ who, through, act: 'operator role', before, after }]);
}

/** Ends the operator's sessions. @throws Refused for an unknown operator, and for the actor */
export async function removeOperator(repositories: Repositories, actor: Actor, name: string): Promise<void> {
  if (actor.through === 'console' && actor.name === name) throw new Refused('operators cannot remove themselves');
  const operator = await repositories.operators.find(name);
  if (operator === null || !(await repositories.operators.remove(name))) throw nobody(name);
  const { name: who, through } = actor;
  const before = { operator: name, role: operator.role };
  await repositories.audit.record([{ who, through, act: 'operator remove', before }]);
}

/** Ends the operator's sessions. @returns the password. @throws Refused for an unknown operator */
export async function changePassword(
  repositories: Repositories,
  actor: Actor,
  name: string,
  wanted?: string,
): Promise<string> {
  if (wanted !== undefined && (wanted.length < MIN_PASSWORD_LENGTH || wanted.length > MAX_PASSWORD_LENGTH)) {
    throw new Refused(`a password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  const password = wanted ?? generatePassword();
  if (!(await repositories.operators.setPassword(name, await hashPassword(password)))) throw nobody(name);
  await record(repositories, actor, 'operator passwd', { operator: name });
  return password;
}

/** Ends an operator's sessions and disables them, or enables them again. @throws Refused for an unknown operator */
export async function setOperatorDisabled(
  repositories: Repositories,
  actor: Actor,
  name: string,
  isDisabled: boolean,
): Promise<void> {
  if (!(await repositories.operators.setDisabled(name, isDisabled))) throw nobody(name);
  await record(repositories, actor, isDisabled ? 'operator disable' : 'operator enable', { operator: name });
}

export interface SignInLink {
  /** The path of a page in the console. */
  path: string;
  /** ISO 8601 in UTC, by the database's clock. */
  until: string;
}

/** The link works once, for `seconds`. @throws Refused when the operator or the database's role lacks the right. */
export async function linkOperator(
  repositories: Repositories & Pick<Database, 'signIns'>,
  actor: Actor,
  name: string,
  seconds: number,
): Promise<SignInLink> {
  const token = generateSignInToken();
  const added = await repositories.signIns.addLink(name, signInTokenDigest(token), seconds);
  if (added === 'forbidden') {
    throw new Refused(
      'this role of the database may not make a sign-in link: run the command where the console runs, or with the DATABASE_URL of the owner',
    );
  }
  if (added === null)
    throw (await repositories.operators.find(name)) === null ? nobody(name) : new Refused(`${name} is disabled`);
  await record(repositories, actor, 'operator link', { operator: name, until: added.until });
  return { path: `/sign-in?token=${token}`, until: added.until };
}

function nobody(name: string): Refused {
  return new Refused(`there is no operator ${name}`);
}

async function record(
  { audit }: Repositories,
  { name: who, through }: Actor,
  act: 'operator add' | 'operator enable' | 'operator disable' | 'operator passwd' | 'operator role' | 'operator link',
  after: Record<string, string>,
): Promise<void> {
  await audit.record([{ who, through, act, after }]);
}
