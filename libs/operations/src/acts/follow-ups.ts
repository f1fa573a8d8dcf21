import type { Database, FollowUp } from '@passerelle/database';
import { Refused } from '../refused';
import { BadValue, collectBadValues } from '../adding/values';
import type { ActedGateway, Actor } from './gateways';

type Repositories = Pick<Database, 'audit' | 'followUps' | 'operators'>;
type Target = Pick<ActedGateway, 'id' | 'crm' | 'client'>;

export interface FollowUpWish {
  note: string;
  /** The name of an operator, or empty. */
  assignee: string;
  snoozedUntil: Date | null;
}

/** Acknowledges a gateway's trouble: a note, who takes care of it, and until when it is snoozed. @throws BadValues */
export async function followUp(
  { audit, followUps, operators }: Repositories,
  { name: who, through }: Actor,
  { id, crm, client }: Target,
  { note, assignee, snoozedUntil }: FollowUpWish,
  now: Date,
): Promise<void> {
  const names = (await operators.list()).flatMap(({ name, disabledAt }) => (disabledAt === null ? [name] : []));
  collectBadValues(
    () => {
      if (note === '') throw new BadValue('--note', 'is missing: it tells the other operators what is done');
    },
    () => {
      if (assignee !== '' && !names.includes(assignee)) throw new BadValue('--assignee', 'is no operator');
    },
    () => {
      if (snoozedUntil !== null && !(snoozedUntil > now)) throw new BadValue('--snooze', 'must end in the future');
    },
  );
  const until = snoozedUntil?.toISOString() ?? null;
  await followUps.save({ gatewayId: id, note, assignee: assignee || null, snoozedUntil: until, by: who });
  await audit.record([
    {
      ...{ who, through, act: 'gateway note', crm, client, reason: note },
      after: { assignee: assignee || null, snoozed_until: until },
    },
  ]);
}

/** @throws Refused when another operator has already removed it */
export async function endFollowUp(
  { audit, followUps }: Pick<Repositories, 'audit' | 'followUps'>,
  { name: who, through }: Actor,
  { id, crm, client }: Target,
): Promise<void> {
  const before = await followUps.find(id);
  if (before === null || !(await followUps.remove(id))) throw new Refused(`${crm}/${client} has no note any more`);
  const { note, assignee } = before;
  await audit.record([
    { who, through, act: 'gateway note', crm, client, before: { note, assignee }, after: { note: null } },
  ]);
}

/** The ids of gateways that are snoozed now. */
export function snoozedGateways(followUps: readonly FollowUp[], now: Date): Set<number> {
  return new Set(
    followUps.flatMap(({ gatewayId, snoozedUntil }) =>
      snoozedUntil !== null && Date.parse(snoozedUntil) > now.getTime() ? [gatewayId] : [],
    ),
  );
}
