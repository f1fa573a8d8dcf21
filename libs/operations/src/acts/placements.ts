import type { Database, Placement, PlacementTerms } from '@passerelle/database';
import type { AuditAct, AuditValues } from '@passerelle/domain';
import { Refused } from '../refused';
import type { ActedGateway, Actor } from './gateways';

type Repositories = Pick<Database, 'placements' | 'publications' | 'audit'>;

/** The logins and settings that a target needs before anything is sent. */
export interface TargetNeeds {
  code: string;
  requiredCredentials: readonly string[];
  requiredSettings: readonly string[];
}

export interface WantedPlacement {
  terms: PlacementTerms;
  /** Sealed; null for none. */
  credentials: Buffer | null;
  isOn: boolean;
}

/** @returns the credentials and settings that are missing, as words for a sentence */
export function lacking(
  { requiredCredentials, requiredSettings }: TargetNeeds,
  credentials: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>>,
): string[] {
  const isMissing = (values: Readonly<Record<string, string>>) => (name: string) => (values[name] ?? '') === '';
  return [
    ...requiredCredentials.filter(isMissing(credentials)).map((name) => `the credential "${name}"`),
    ...requiredSettings.filter(isMissing(settings)).map((name) => `the setting "${name}"`),
  ];
}

/** @returns the id of the placement */
export async function addPlacement(
  { placements, audit }: Repositories,
  { name, through }: Actor,
  { id: gatewayId, crm, client }: Pick<ActedGateway, 'id' | 'crm' | 'client'>,
  target: TargetNeeds,
  { terms, credentials, isOn }: WantedPlacement,
): Promise<number> {
  const id = await placements.add({ ...terms, gatewayId, target: target.code, credentials, isOn });
  const after = { placement: id, target: target.code, on: isOn, dry_run: terms.isDryRun };
  await audit.record([{ who: name, through, act: 'placement add', crm, client, after }]);
  return id;
}

/** @param credentials sealed; undefined leaves them */
export async function setPlacement(
  repositories: Repositories,
  actor: Actor,
  placement: Placement,
  terms: PlacementTerms,
  credentials: Buffer | undefined,
): Promise<void> {
  await repositories.placements.set(placement.id, terms, credentials);
  const before: Record<string, string> = {};
  const after: Record<string, string | boolean> = {};
  for (const name of Object.keys(terms) as (keyof PlacementTerms)[]) {
    const [was, is] = [JSON.stringify(placement[name]), JSON.stringify(terms[name])];
    if (was !== is) [before[name], after[name]] = [was.slice(0, 500), is.slice(0, 500)];
  }
  if (credentials !== undefined) after['credentials'] = true;
  await record(repositories, actor, 'placement set', placement, { before, after });
}

/** @throws Refused when an operator wants to switch on a placement that is being removed */
export async function switchPlacement(
  repositories: Repositories,
  actor: Actor,
  placement: Placement,
  isOn: boolean,
): Promise<void> {
  if (placement.isEnding) throw new Refused(`placement ${placement.id} is being removed`);
  await repositories.placements.setOn(placement.id, isOn);
  if (placement.isOn !== isOn)
    await record(repositories, actor, isOn ? 'placement resume' : 'placement pause', placement);
}

/** @returns how many removals are approved. @throws Refused when nothing is held */
export async function approvePlacement(
  repositories: Repositories,
  actor: Actor,
  placement: Placement,
  reason: string,
): Promise<number> {
  const removals = await repositories.placements.approve(placement.id);
  if (removals === null) throw new Refused(`placement ${placement.id} is not held`);
  await record(repositories, actor, 'placement approve', placement, { after: { removals }, reason });
  return removals;
}

/**
 * Takes every advert offline and then deletes the placement, or only deletes it. @param leavesAdverts leaves them online
 * @throws Refused when the credentials that are needed to take them offline are missing
 */
export async function removePlacement(
  repositories: Repositories,
  actor: Actor,
  placement: Placement,
  leavesAdverts: boolean,
): Promise<{ isGone: boolean }> {
  const adverts = advertsOf(placement);
  const isGone = leavesAdverts || adverts === 0;
  if (isGone) await repositories.placements.remove(placement.id);
  else await repositories.placements.end(placement.id);
  await record(repositories, actor, 'placement remove', placement, { before: { adverts, left_online: leavesAdverts } });
  return { isGone };
}

/** Adverts that the portal may show. */
export function advertsOf({ states }: Pick<Placement, 'states'>): number {
  const live = ['sent', 'accepted', 'online', 'delivered', 'refused', 'removing'];
  return live.reduce((sum, state) => sum + (states[state] ?? 0), 0);
}

/** Sends refused adverts, or one advert, again. @returns how many @throws Refused for an unknown listing */
export async function retryPublications(
  repositories: Repositories,
  actor: Actor,
  placement: Placement,
  affId: string | null,
): Promise<number> {
  const adverts = await repositories.publications.retry(placement.id, affId);
  if (affId !== null && adverts === 0) throw new Refused(`placement ${placement.id} has no listing "${affId}"`);
  await record(repositories, actor, 'publication retry', placement, { after: { listing: affId, adverts } });
  return adverts;
}

/** Takes one advert offline. @throws Refused for an unknown listing */
export async function withdrawPublication(
  repositories: Repositories,
  actor: Actor,
  placement: Placement,
  affId: string,
  reason: string,
): Promise<void> {
  if (!(await repositories.publications.withdraw(placement.id, affId)))
    throw new Refused(`placement ${placement.id} has no listing "${affId}"`);
  await record(repositories, actor, 'publication withdraw', placement, { after: { listing: affId }, reason });
}

async function record(
  { audit }: Pick<Repositories, 'audit'>,
  { name, through }: Actor,
  act: AuditAct,
  { id, crm, client, target }: Placement,
  { before = {}, after = {}, reason }: { before?: AuditValues; after?: AuditValues; reason?: string } = {},
): Promise<void> {
  const named = { ...after, placement: id, target };
  await audit.record([
    { who: name, through, act, crm, client, before, after: named, ...(reason !== undefined && { reason }) },
  ]);
}
