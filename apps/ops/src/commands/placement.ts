import type { Placement, PlacementTerms } from '@passerelle/database';
import type { Target } from '@passerelle/exporters';
import {
  addPlacement,
  advertsOf,
  approvePlacement,
  lacking,
  Refused,
  removePlacement,
  setPlacement,
  switchPlacement,
} from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';
import {
  placementCredentials,
  type PlacementOptions,
  placementTerms,
  withPlacementOptions,
} from '../options/placement-options';
import { parseWholeNumber } from '../options/values';
import { renderBlock, renderTable } from '../render/table';
import { addCommand, addGatewayCommand, type GatewayName } from './command';

const NEEDS_KEY = 'a login at a portal';
const NEW: PlacementTerms = {
  ...{ contact: {}, rule: {}, embargoHours: 0, idScheme: 'own', advertIds: {}, language: 'fr', settings: {} },
  ...{ isDryRun: false, keepsAfterContract: false },
};

export function addPlacementAdd(parent: Command, context: CommandContext): void {
  withPlacementOptions(
    addGatewayCommand(
      parent,
      'add',
      'Adds a placement: the listings of a gateway are exported to a portal. Without the logins that the portal needs it stays off.',
      'placement add --crm kyero --client agence-du-port --target poliris --credential url=ftp://portal.example/in',
    ).requiredOption('--target <code>', 'the portal or format'),
  )
    .option('--off', 'exports nothing until "placement resume"')
    .action(
      async ({
        crm,
        client,
        target: code,
        off = false,
        ...options
      }: GatewayName & PlacementOptions & { target: string; off?: boolean }) => {
        const target = await targetOf(code);
        const terms = await placementTerms(options, target, context.input, NEW);
        const credentials = await placementCredentials(options, target, context.input);
        const sealed =
          credentials === null ? null : (await context.requireSecretBox(NEEDS_KEY)).seal(JSON.stringify(credentials));
        const gateway = await context.gateway(crm, client);
        const missing = lacking(target, credentials ?? {}, terms.settings);
        const isOn = !off && missing.length === 0;
        const wanted = { terms, credentials: sealed, isOn };
        const id = await addPlacement(await context.openDatabase(), await context.actor(), gateway, target, wanted);
        context.answer({
          json: { id, crm, client, target: code, on: isOn, lacks: missing },
          text: () =>
            `placement ${id}: ${crm}/${client} at ${target.label}, ${isOn ? 'on' : 'off'}${missing.length === 0 ? '' : `: it lacks ${missing.join(', ')}`}`,
        });
      },
    );
}

export function addPlacementList(parent: Command, context: CommandContext): void {
  addCommand(parent, 'list', 'Lists placements with their adverts.', 'placement list --target poliris')
    .option('--crm <code>', 'only gateways of this connector')
    .option('--client <slug>', 'only the gateway of this client; needs --crm')
    .option('--target <code>', 'only this portal or format')
    .action(async (filter: { crm?: string; client?: string; target?: string }) => {
      const { placements } = await context.openDatabase();
      const [found, withCredentials] = [await placements.list(filter), await placements.withCredentials()];
      context.answer({
        json: found.map((placement) => placementView(placement, withCredentials)),
        text: (options) =>
          renderTable(
            options,
            [
              { title: 'id', value: ({ id }: Placement) => id, align: 'right' },
              { title: 'gateway', value: ({ crm, client }) => `${crm}/${client}` },
              { title: 'target', value: ({ target }) => target },
              { title: 'state', value: stateOf },
              { title: 'adverts', value: advertsOf, align: 'right' },
              { title: 'waiting', value: ({ states }) => states['waiting'] ?? 0, align: 'right' },
              { title: 'why', value: ({ failure, held }) => held?.message ?? failure },
            ],
            found,
            'no placement',
          ),
      });
    });
}

export function addPlacementShow(parent: Command, context: CommandContext): void {
  addPlacementCommand(parent, 'show', 'Shows a placement.', 'placement show --id 3').action(
    async (options: PlacementId) => {
      const placement = await placementOf(context, options);
      const view = placementView(placement, await (await context.openDatabase()).placements.withCredentials());
      context.answer({
        json: view,
        text: (renderOptions) =>
          renderBlock(
            renderOptions,
            `${placement.id}  ${placement.crm}/${placement.client} at ${placement.target}`,
            Object.entries(view).map(([label, value]) => ({
              label,
              value: value === null ? null : typeof value === 'string' ? value : JSON.stringify(value),
            })),
          ),
      });
    },
  );
}

export function addPlacementSet(parent: Command, context: CommandContext): void {
  withPlacementOptions(
    addPlacementCommand(parent, 'set', 'Changes a placement, and exports it.', 'placement set --id 3 --embargo 24h'),
  ).action(async (options: PlacementId & PlacementOptions) => {
    const placement = await placementOf(context, options);
    const target = await targetOf(placement.target);
    const terms = await placementTerms(options, target, context.input, placement);
    const credentials = await placementCredentials(options, target, context.input);
    const database = await context.openDatabase();
    let sealed: Buffer | undefined;
    if (credentials !== null) {
      const box = await context.requireSecretBox(NEEDS_KEY);
      const present = await database.placements.credentials(placement.id);
      const before = present === null ? {} : (JSON.parse(box.open(present)) as object);
      sealed = box.seal(JSON.stringify({ ...before, ...credentials }));
    }
    await setPlacement(database, await context.actor(), placement, terms, sealed);
    await answerWith(context, placement.id, () => `placement ${placement.id} is changed`);
  });
}

export function addPlacementPause(parent: Command, context: CommandContext): void {
  addPlacementCommand(
    parent,
    'pause',
    'Exports nothing for a placement; its adverts stay online.',
    'placement pause --id 3',
  ).action(async (options: PlacementId) => {
    const placement = await placementOf(context, options);
    await switchPlacement(await context.openDatabase(), await context.actor(), placement, false);
    await answerWith(context, placement.id, () => `placement ${placement.id} is off; its adverts stay as they are`);
  });
}

export function addPlacementResume(parent: Command, context: CommandContext): void {
  addPlacementCommand(parent, 'resume', 'Exports a placement again.', 'placement resume --id 3').action(
    async (options: PlacementId) => {
      const placement = await placementOf(context, options);
      const database = await context.openDatabase();
      const sealed = await database.placements.credentials(placement.id);
      const credentials =
        sealed === null
          ? {}
          : (JSON.parse((await context.requireSecretBox(NEEDS_KEY)).open(sealed)) as Record<string, string>);
      const missing = lacking(await targetOf(placement.target), credentials, placement.settings);
      if (missing.length > 0)
        throw new Refused(`placement ${placement.id} lacks ${missing.join(', ')}: "placement set" adds them`);
      await switchPlacement(database, await context.actor(), placement, true);
      await answerWith(context, placement.id, () => `placement ${placement.id} is on`);
    },
  );
}

export function addPlacementApprove(parent: Command, context: CommandContext): void {
  addPlacementCommand(
    parent,
    'approve',
    'Lets a held export remove adverts at the portal.',
    'placement approve --id 3 --reason "the agency sold its lets"',
  )
    .requiredOption('--reason <text>', 'why, for the audit')
    .action(async ({ reason, ...options }: PlacementId & { reason: string }) => {
      if (reason.trim() === '') throw new UsageError('--reason needs a text');
      const placement = await placementOf(context, options);
      const removals = await approvePlacement(
        await context.openDatabase(),
        await context.actor(),
        placement,
        reason.trim(),
      );
      context.answer({
        json: { id: placement.id, approved: removals },
        text: () => `placement ${placement.id}: ${removals} adverts may be removed at the portal`,
      });
    });
}

export function addPlacementRemove(parent: Command, context: CommandContext): void {
  addPlacementCommand(
    parent,
    'remove',
    'Takes every advert offline, and then removes the placement.',
    'placement remove --id 3 --yes',
  )
    .option('--yes', 'removes it without a question')
    .option('--leave-adverts', 'removes only the placement; its adverts stay online')
    .action(async ({ yes, leaveAdverts = false, ...options }: PlacementId & { yes?: true; leaveAdverts?: boolean }) => {
      const placement = await placementOf(context, options);
      const adverts = advertsOf(placement);
      const question = `Remove placement ${placement.id} and ${leaveAdverts ? 'leave' : 'take offline'} its ${adverts} adverts?`;
      if (yes !== true && !(await context.terminal.confirm(question)))
        throw new Refused(`placement ${placement.id} is not removed: give --yes, or answer yes on a terminal`);
      const { isGone } = await removePlacement(
        await context.openDatabase(),
        await context.actor(),
        placement,
        leaveAdverts,
      );
      context.answer({
        json: { id: placement.id, removed: isGone, adverts },
        text: () =>
          isGone
            ? `placement ${placement.id} is removed`
            : `placement ${placement.id} is removed when its ${adverts} adverts are offline`,
      });
    });
}

export interface PlacementId {
  id: string;
}

export function addPlacementCommand(parent: Command, usage: string, sentence: string, example: string): Command {
  return addCommand(parent, usage, sentence, example).requiredOption('--id <id>', 'the placement');
}

/** @throws Refused for an unknown placement */
export async function placementOf(context: CommandContext, { id: text }: PlacementId): Promise<Placement> {
  const id = parseWholeNumber('--id', text);
  const placement = await (await context.openDatabase()).placements.find(id);
  if (placement === null) throw new Refused(`there is no placement ${id}`);
  return placement;
}

/** @throws UsageError listing the targets */
export async function targetOf(code: string): Promise<Target> {
  const { loadTargets } = await import('../registered-targets.ts');
  const targets = loadTargets();
  const target = targets.get(code);
  if (target === undefined)
    throw new UsageError(`--target "${code}" is no target; there are: ${[...targets.keys()].join(', ')}`);
  return target;
}

async function answerWith(context: CommandContext, id: number, text: () => string): Promise<void> {
  const { placements } = await context.openDatabase();
  const [placement, withCredentials] = [await placements.find(id), await placements.withCredentials()];
  context.answer({ json: placement === null ? { id } : placementView(placement, withCredentials), text });
}

function stateOf({ isOn, isEnding, held, failures, isDryRun, result }: Placement): string {
  if (isEnding) return 'being removed';
  if (!isOn) return 'off';
  if (held !== null) return 'held';
  if (failures > 0) return 'failing';
  return isDryRun ? 'dry run' : (result ?? 'new');
}

function placementView(placement: Placement, withCredentials: ReadonlySet<number>): Record<string, unknown> {
  const {
    id,
    crm,
    client,
    target,
    rule,
    contact,
    language,
    settings,
    states,
    held,
    failures,
    failure,
    result,
    counts,
  } = placement;
  return {
    ...{ id, crm, client, target, state: stateOf(placement), on: placement.isOn, dry_run: placement.isDryRun },
    ...{ credentials: withCredentials.has(id), settings, contact, rule, embargo_hours: placement.embargoHours },
    ...{ ids: placement.idScheme, id_table: Object.keys(placement.advertIds).length, language },
    ...{ keep_after_contract: placement.keepsAfterContract, ending: placement.isEnding, publications: states },
    ...{ held, held_at: placement.heldAt, failures, failure, failing_since: placement.failingSince },
    ...{ exported_at: placement.exportedAt, result, counts },
  };
}
