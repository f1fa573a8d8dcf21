import type { Database } from '@passerelle/database';
import {
  generatePassword,
  hashPassword,
  isOperatorName,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type OperatorRole,
} from '@passerelle/domain';
import { Refused } from '../refused';
import type { Actor } from './gateways';

type Parts = Pick<Database, 'operators' | 'audit'>;

/**
 * Adds somebody who may sign in to the console.
 *
 * @returns the password, which is stored nowhere.
 * @throws Refused for a name that cannot be one, or is taken.
 */
export async function addOperator(parts: Parts, actor: Actor, name: string, role: OperatorRole): Promise<string> {
  if (!isOperatorName(name)) {
    throw new Refused(`"${name.slice(0, 64)}" is no name: at most 64 letters, digits, ".", "_", "@" and "-"`);
  }
  const password = generatePassword();
  if (!(await parts.operators.add(name, role, await hashPassword(password)))) {
    throw new Refused(`there is an operator ${name} already`);
  }
  await record(parts, actor, 'operator add', { operator: name, role });
  return password;
}

/** Gives an operator another password and ends their sessions. @returns the password @throws Refused for nobody */
export async function changePassword(parts: Parts, actor: Actor, name: string, wanted?: string): Promise<string> {
  if (wanted !== undefined && (wanted.length < MIN_PASSWORD_LENGTH || wanted.length > MAX_PASSWORD_LENGTH)) {
    throw new Refused(`a password has ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  const password = wanted ?? generatePassword();
  if (!(await parts.operators.setPassword(name, await hashPassword(password)))) throw nobody(name);
  await record(parts, actor, 'operator passwd', { operator: name });
  return password;
}

/** Ends an operator's sessions and lets them sign in no more, or lets them again. @throws Refused for nobody */
export async function setOperatorDisabled(
  parts: Parts,
  actor: Actor,
  name: string,
  isDisabled: boolean,
): Promise<void> {
  if (!(await parts.operators.setDisabled(name, isDisabled))) throw nobody(name);
  await record(parts, actor, isDisabled ? 'operator disable' : 'operator enable', { operator: name });
}

function nobody(name: string): Refused {
  return new Refused(`there is no operator ${name}`);
}

async function record(
  { audit }: Parts,
  { name: who, through }: Actor,
  act: 'operator add' | 'operator enable' | 'operator disable' | 'operator passwd',
  after: Record<string, string>,
): Promise<void> {
  await audit.record([{ who, through, act, after }]);
}
