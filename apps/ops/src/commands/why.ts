import type { Command } from 'commander';
import type { CommandContext } from '../command-context';
import { renderBlock } from '../render/table';
import type { RenderOptions, Tone } from '../render/render-options';
import { localAndRelative } from '../render/figures';
import {
  explainListing,
  explainPublication,
  type PublicationView,
  Refused,
  troubleOf,
  type WhyView,
} from '@passerelle/operations';
import { addGatewayCommand, type GatewayName } from './command';

const TONES: Readonly<Record<WhyView['state'], Tone>> = {
  listed: 'good',
  removed: 'warn',
  rejected: 'bad',
  withdrawn: 'warn',
  held: 'warn',
  unknown: 'faint',
};

export function addWhy(program: Command, context: CommandContext): void {
  addGatewayCommand(
    program,
    'why',
    'Explains where a listing is, or at which step it was lost, and why.',
    'why --crm kyero --client agence-du-port --id 1042',
  )
    .requiredOption('--id <id>', 'its affId or affNum; with --target its affId')
    .option('--target <code>', 'explains where its advert at this portal is')
    .action(async ({ crm, client, id, target }: GatewayName & { id: string; target?: string }) => {
      if (target !== undefined) {
        await answerForTarget(context, { crm, client }, id, target);
        return;
      }
      const gateway = await context.tracedGateway(crm, client);
      const traces = await context.openListingTraces();
      const view = explainListing(
        { id, crm, client },
        await traces.trace(gateway.id, id),
        troubleOf(gateway, context.terminal.now()),
      );
      context.answer({ json: view, text: (renderOptions) => renderWhy(renderOptions, view) });
    });
}

/** One view for each placement of the gateway at the target; the value is a list when there are several. */
async function answerForTarget(
  context: CommandContext,
  { crm, client }: GatewayName,
  affId: string,
  target: string,
): Promise<void> {
  await context.gateway(crm, client);
  const { placements, publications } = await context.openDatabase();
  const found = await placements.list({ crm, client, target });
  if (found.length === 0) throw new Refused(`${crm}/${client} has no placement at "${target}"`);
  const views: PublicationView[] = [];
  for (const placement of found) {
    const [publication = null] = await publications.list({ placement: placement.id, affId }, 0, 1);
    views.push(explainPublication(placement, affId, publication));
  }
  context.answer({
    json: views.length === 1 ? views[0] : views,
    text: (options) =>
      views
        .map((view) =>
          renderBlock(options, `${view.id}  ${crm}/${client} at ${target}, placement ${view.placement}`, [
            { label: 'state', value: view.state },
            { label: 'why', value: view.explanation },
            { label: 'since', value: localAndRelative(view.since, options.now) },
            { label: 'url', value: view.url },
          ]),
        )
        .join('\n\n'),
  });
}

function renderWhy(options: RenderOptions, view: WhyView): string {
  return renderBlock(options, `${view.id}  ${view.crm}/${view.client}`, [
    { label: 'state', value: view.state, tone: TONES[view.state] },
    { label: 'why', value: view.explanation },
    { label: 'since', value: localAndRelative(view.since ?? null, options.now) },
    { label: 'kept since', value: localAndRelative(view.kept_since ?? null, options.now), tone: 'warn' },
    { label: 'run', value: view.run ?? null },
    { label: 'snapshot', value: view.snapshot ?? null },
    { label: 'excerpt', value: view.rejection?.excerpt ?? null, tone: 'faint' },
  ]);
}
