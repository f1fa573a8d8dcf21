import type { ListedPublication, PublicationFilter } from '@passerelle/database';
import { PUBLICATION_REASONS, PUBLICATION_STATES } from '@passerelle/domain';
import { retryPublications, withdrawPublication } from '@passerelle/operations';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { UsageError } from '../errors';
import { parseSince, parseWholeNumber, parseWord } from '../options/values';
import { localAndRelative } from '../render/figures';
import { renderTable } from '../render/table';
import { addCommand } from './command';
import { placementOf } from './placement';

const SHOWN = 100;
const MOST = 10_000;

interface ListOptions {
  crm?: string;
  client?: string;
  placement?: string;
  target?: string;
  listing?: string;
  state?: string;
  reason?: string;
  since?: string;
  url?: string;
  limit?: string;
}

export function addPublicationList(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'list',
    'Lists adverts at portals: newest changes first.',
    'publication list --crm kyero --client agence-du-port --state refused',
  )
    .option('--crm <code>', 'only this connector; needs --client')
    .option('--client <slug>', 'only the gateway of this client; needs --crm')
    .option('--placement <id>', 'only this placement')
    .option('--target <code>', 'only this portal or format')
    .option('--listing <affId>', 'only this listing')
    .option('--state <state>', PUBLICATION_STATES.join(', '))
    .option('--reason <code>', PUBLICATION_REASONS.join(', '))
    .option('--since <time>', 'only changes since then: a duration such as 12h, or a day')
    .option('--url <address>', 'only the advert that has this address at its portal')
    .option('--limit <count>', `how many to show (default: ${SHOWN})`)
    .action(async (options: ListOptions) => {
      const filter = await filterOf(context, options);
      const { publications } = await context.openDatabase();
      const most = options.limit === undefined ? SHOWN : parseWholeNumber('--limit', options.limit, MOST);
      const [found, total] = [await publications.list(filter, 0, most), await publications.count(filter)];
      context.answer({
        json: { total, publications: found.map(publicationView) },
        text: (renderOptions) =>
          renderTable(
            renderOptions,
            [
              { title: 'placement', value: ({ placement }: ListedPublication) => placement, align: 'right' },
              { title: 'gateway', value: ({ crm, client }) => `${crm}/${client}` },
              { title: 'target', value: ({ target }) => target },
              { title: 'listing', value: ({ affId }) => affId },
              { title: 'state', value: ({ state }) => state },
              { title: 'since', value: ({ since }) => localAndRelative(since, renderOptions.now) },
              { title: 'why', value: ({ reason, url }) => reason ?? url },
            ],
            found,
            'no publication',
          ) + (total > found.length ? `\n${total - found.length} more` : ''),
      });
    });
}

export function addPublicationRetry(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'retry',
    'Sends refused adverts of a placement, or one advert, again.',
    'publication retry --placement 3 --listing 1042',
  )
    .requiredOption('--placement <id>', 'the placement')
    .option('--listing <affId>', 'only this listing, whatever its state is; also ends a withdrawal')
    .action(async ({ placement: id, listing }: { placement: string; listing?: string }) => {
      const placement = await placementOf(context, { id });
      const adverts = await retryPublications(
        await context.openDatabase(),
        await context.actor(),
        placement,
        listing ?? null,
      );
      context.answer({
        json: { placement: placement.id, listing: listing ?? null, adverts },
        text: () => `placement ${placement.id}: ${adverts} adverts are sent again`,
      });
    });
}

export function addPublicationWithdraw(parent: Command, context: CommandContext): void {
  addCommand(
    parent,
    'withdraw',
    'Takes one advert offline until "publication retry".',
    'publication withdraw --placement 3 --listing 1042 --reason "the owner asks for it"',
  )
    .requiredOption('--placement <id>', 'the placement')
    .requiredOption('--listing <affId>', 'the listing')
    .requiredOption('--reason <text>', 'why, for the audit')
    .action(async ({ placement: id, listing, reason }: { placement: string; listing: string; reason: string }) => {
      if (reason.trim() === '') throw new UsageError('--reason needs a text');
      const placement = await placementOf(context, { id });
      await withdrawPublication(await context.openDatabase(), await context.actor(), placement, listing, reason.trim());
      context.answer({
        json: { placement: placement.id, listing, withdrawn: true },
        text: () => `placement ${placement.id}: the advert of ${listing} is taken offline`,
      });
    });
}

async function filterOf(context: CommandContext, options: ListOptions): Promise<PublicationFilter> {
  const { crm, client, placement, target, listing, state, reason, since, url } = options;
  if ((crm === undefined) !== (client === undefined)) throw new UsageError('--crm and --client go together');
  return {
    ...(crm !== undefined && client !== undefined && { gatewayId: (await context.gateway(crm, client)).id }),
    ...(placement !== undefined && { placement: parseWholeNumber('--placement', placement) }),
    ...(target !== undefined && { target }),
    ...(listing !== undefined && { affId: listing }),
    ...(state !== undefined && { state: parseWord('--state', state, PUBLICATION_STATES) }),
    ...(reason !== undefined && { reason: parseWord('--reason', reason, PUBLICATION_REASONS) }),
    ...(since !== undefined && { since: parseSince('--since', since, context.terminal.now()).toISOString() }),
    ...(url !== undefined && { url }),
  };
}

function publicationView(publication: ListedPublication): object {
  const { crm, client, placement, target, affId, affNum, state, since, reason, url, tries } = publication;
  return {
    ...{ crm, client, placement, target, affId, affNum, advert_id: publication.advertId, state, since },
    ...{ reason_code: publication.reasonCode, reason, url, portal_id: publication.portalId, tries },
    ...{ sent_at: publication.sentAt, withdrawn: publication.isWithdrawn },
  };
}
